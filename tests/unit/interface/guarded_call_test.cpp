// SPDX-License-Identifier: Apache-2.0
#include "model/interface/guarded_call.hpp"

#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/interface/nibblecore/nibblecore.h"

namespace nibblecore {
namespace {

template <typename Exception>
int status_of(const Exception& exception) {
  return guarded_call([&] { throw exception; });
}

TEST(GuardedCall, EveryExceptionHasAStatusAndAMessage) {
  EXPECT_EQ(status_of(InputError("k", "wrong")), NIBBLECORE_BAD_INPUT);
  EXPECT_STREQ(nibblecore_last_error(), "k: wrong");
  EXPECT_EQ(status_of(InternalError("too narrow")), NIBBLECORE_INTERNAL);
  EXPECT_STREQ(nibblecore_last_error(), "too narrow");
  EXPECT_EQ(status_of(std::bad_alloc()), NIBBLECORE_OUT_OF_MEMORY);
  EXPECT_STREQ(nibblecore_last_error(), "out of memory");
  EXPECT_EQ(status_of(std::length_error("vector")), NIBBLECORE_OUT_OF_MEMORY);
  EXPECT_EQ(status_of(std::runtime_error("other")), NIBBLECORE_INTERNAL);
  EXPECT_STREQ(nibblecore_last_error(), "other");
  EXPECT_EQ(status_of(1), NIBBLECORE_INTERNAL);
  EXPECT_STREQ(nibblecore_last_error(), "unknown exception");
}

TEST(GuardedCall, SuccessEmptiesTheMessage) {
  EXPECT_EQ(status_of(InputError("k", "wrong")), NIBBLECORE_BAD_INPUT);
  EXPECT_EQ(guarded_call([] {}), NIBBLECORE_OK);
  EXPECT_STREQ(nibblecore_last_error(), "");
}

TEST(GuardedCall, LongMessagesAreCut) {
  EXPECT_EQ(status_of(std::runtime_error(std::string(5000, 'x'))), NIBBLECORE_INTERNAL);
  EXPECT_EQ(std::string(nibblecore_last_error()), std::string(1023, 'x'));
}

TEST(GuardedCall, EveryThreadHasItsOwnMessage) {
  EXPECT_EQ(status_of(InputError("here", "wrong")), NIBBLECORE_BAD_INPUT);
  std::string before;
  std::string after;
  std::thread other([&] {
    before = nibblecore_last_error();
    status_of(InputError("there", "wrong"));
    after = nibblecore_last_error();
  });
  other.join();
  EXPECT_EQ(before, "");
  EXPECT_EQ(after, "there: wrong");
  EXPECT_STREQ(nibblecore_last_error(), "here: wrong");
}

}  // namespace
}  // namespace nibblecore
