// SPDX-License-Identifier: Apache-2.0
#include "tb/journal/field_bytes.hpp"

#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/input_error.hpp"

namespace nibblecore::tb {
namespace {

enum class Colour { kRed, kGreen };

struct Inner {
  double number = 0;
  std::array<uint16_t, 3> list{};
};

/// A class that says itself what it holds.
class Hidden {
 public:
  Hidden() = default;
  explicit Hidden(int value) : value_(value) {}
  int value() const { return value_; }

  template <typename Visit>
  void for_each_field(Visit& visit) {
    visit(value_);
  }

 private:
  int value_ = 0;
};

struct Outer {
  int64_t first = 0;
  std::string text;
  Colour colour = Colour::kRed;
  std::optional<Inner> inner;
  std::optional<std::string> nothing;
  std::vector<Inner> inners;
  std::array<Inner, 2> pair{};
  Hidden hidden;
};

Outer example() {
  Outer value;
  value.first = -5;
  value.text = std::string("a\0b", 3);
  value.colour = Colour::kGreen;
  value.inner = Inner{0.1, {1, 2, 65535}};
  value.inners = {{-0.0, {}}, {std::numeric_limits<double>::denorm_min(), {}}, {1e300, {7}}};
  value.pair[1].number = 3;
  value.hidden = Hidden(9);
  return value;
}

std::string bytes_of(Outer value) {
  FieldWriter write;
  write(value);
  return write.bytes();
}

uint64_t bits_of_double(double value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

TEST(FieldBytes, EveryFieldComesBack) {
  const std::string bytes = bytes_of(example());
  Outer value;
  value.nothing = "something";
  value.inners.resize(7);
  FieldReader read(bytes, "place");
  read(value);
  read.require_end();
  EXPECT_EQ(value.first, -5);
  EXPECT_EQ(value.text, std::string("a\0b", 3));
  EXPECT_EQ(value.colour, Colour::kGreen);
  ASSERT_TRUE(value.inner);
  EXPECT_EQ(value.inner->number, 0.1);
  EXPECT_EQ(value.inner->list, (std::array<uint16_t, 3>{1, 2, 65535}));
  EXPECT_FALSE(value.nothing);
  ASSERT_EQ(value.inners.size(), 3U);
  EXPECT_EQ(bits_of_double(value.inners[0].number), bits_of_double(-0.0));
  EXPECT_EQ(value.inners[1].number, std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(value.inners[2].list[0], 7);
  EXPECT_EQ(value.pair[1].number, 3);
  EXPECT_EQ(value.hidden.value(), 9);
  EXPECT_EQ(bytes_of(value), bytes);
}

TEST(FieldBytes, NaNsKeepTheirBits) {
  Outer value;
  const uint64_t bits = 0xFFF8000000001234;
  std::memcpy(&value.pair[0].number, &bits, sizeof bits);
  const std::string bytes = bytes_of(value);
  Outer found;
  FieldReader read(bytes, "place");
  read(found);
  EXPECT_EQ(bits_of_double(found.pair[0].number), bits);
}

TEST(FieldBytes, TooFewAndTooManyBytesAreRefused) {
  const std::string bytes = bytes_of(example());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(input_error([&] {
                Outer value;
                FieldReader read({bytes.data(), size}, "place");
                read(value);
              }),
              "place: has fewer bytes than its fields");
  }
  const std::string more = bytes + "x";
  EXPECT_EQ(input_error([&] {
              Outer value;
              FieldReader read(more, "place");
              read(value);
              read.require_end();
            }),
            "place: has more bytes than its fields");
}

TEST(FieldBytes, AHugeSizeTakesNoMemory) {
  const uint64_t size = std::numeric_limits<uint64_t>::max();
  const std::string bytes(static_cast<const char*>(static_cast<const void*>(&size)), sizeof size);
  std::vector<Inner> values;
  FieldReader read(bytes, "place");
  EXPECT_THROW(read(values), InputError);
}

TEST(FieldBytes, FlagsAreZeroOrOne) {
  const auto read_as = [](const std::string& bytes, auto value) {
    FieldReader read(bytes, "place");
    read(value);
    return value;
  };
  const std::string neither = "place: has a flag that is neither 0 nor 1";
  EXPECT_TRUE(read_as("\1", false));
  EXPECT_FALSE(read_as(std::string(1, '\0'), true));
  EXPECT_EQ(input_error([&] { read_as("\2", false); }), neither);
  EXPECT_EQ(input_error([&] { read_as("\2" + std::string(8, '\0'), std::optional<char>()); }),
            neither);
}

}  // namespace
}  // namespace nibblecore::tb
