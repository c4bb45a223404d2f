// SPDX-License-Identifier: Apache-2.0
#include "model/import/byte_source.hpp"

#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_error.hpp"
#include "tests/unit/import/gzip_text.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;

std::string all_of(const std::string& bytes) {
  std::istringstream stream(bytes);
  ByteSource source(stream, "f");
  std::string text;
  for (std::string_view piece = source.next(); !piece.empty(); piece = source.next()) {
    text += piece;
  }
  EXPECT_EQ(source.next(), "");
  return text;
}

// Longer than several pieces, and not the same everywhere.
std::string long_text() {
  std::string text;
  for (int number = 0; number < 60000; ++number) {
    text += std::to_string(number) + "\n";
  }
  return text;
}

TEST(ByteSource, PlainTextComesAsItIs) {
  EXPECT_EQ(all_of(""), "");
  EXPECT_EQ(all_of("x"), "x");
  EXPECT_EQ(all_of(long_text()), long_text());
  EXPECT_EQ(all_of("\x1F"), "\x1F");
}

TEST(ByteSource, GzipIsKnownByItsContent) {
  EXPECT_EQ(all_of(gzip(long_text())), long_text());
  EXPECT_EQ(all_of(gzip("")), "");
  EXPECT_EQ(all_of(gzip("one ") + gzip("") + gzip("two")), "one two");
}

TEST(ByteSource, StartIsNotTakenAway) {
  std::istringstream stream(gzip(long_text()));
  ByteSource source(stream, "f");
  EXPECT_EQ(source.start(), long_text().substr(0, 64));
  EXPECT_EQ(source.next().substr(0, 64), long_text().substr(0, 64));
}

TEST(ByteSource, CutGzipIsRefused) {
  const std::string packed = gzip(long_text());
  for (const size_t size : {packed.size() - 1, packed.size() / 2, size_t{10}, size_t{3}}) {
    EXPECT_THAT(input_error([&] { all_of(packed.substr(0, size)); }),
                HasSubstr("f, offset " + std::to_string(size) + ": the gzip data end early"));
  }
}

TEST(ByteSource, DamagedGzipIsRefused) {
  std::string packed = gzip(long_text());
  packed[packed.size() - 5] ^= 1;
  EXPECT_THAT(input_error([&] { all_of(packed); }), HasSubstr("incorrect data check"));
  EXPECT_THAT(input_error([&] { all_of(gzip("x") + "tail"); }), HasSubstr("damaged gzip data"));
}

}  // namespace
}  // namespace nibblecore
