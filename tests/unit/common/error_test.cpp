// SPDX-License-Identifier: Apache-2.0
#include "model/common/error.hpp"

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

TEST(InputError, SaysWhereAndWhy) {
  EXPECT_STREQ(InputError("gemms.jsonl:7", "M is missing").what(), "gemms.jsonl:7: M is missing");
}

TEST(Error, IsTheRootOfBothKinds) {
  EXPECT_THROW(throw InputError("a", "b"), Error);
  EXPECT_THROW(throw InternalError("c"), Error);
}

}  // namespace
}  // namespace nibblecore
