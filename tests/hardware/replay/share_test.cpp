// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/share.hpp"

#include <gtest/gtest.h>

namespace nibblecore::tb {
namespace {

TEST(Share, IsAPartOfTheWhole) {
  EXPECT_EQ(share(3, 8), 0.375);
  EXPECT_EQ(share_if_any(3, 8), 0.375);
}

TEST(Share, OfNothing) {
  EXPECT_EQ(share(0, 0), 0.0);
  EXPECT_FALSE(share_if_any(0, 0).has_value());
}

}  // namespace
}  // namespace nibblecore::tb
