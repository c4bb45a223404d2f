// SPDX-License-Identifier: Apache-2.0
#include "model/common/physical_memory.hpp"

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

TEST(PhysicalMemory, HoldsThisTestAndStaysBelowWhatAddressesReach) {
  EXPECT_GT(physical_memory_bytes(), int64_t{1} << 24);
  EXPECT_LT(physical_memory_bytes(), int64_t{1} << 52);
}

}  // namespace
}  // namespace nibblecore
