// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/width.hpp"

#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore::hw {
namespace {

constexpr Bus kBus{"test bus", 5};

bool fits(int64_t value) {
  WidthMonitor monitor(kBus);
  monitor.observe(value);
  try {
    monitor.require();
    return true;
  } catch (const InternalError&) {
    return false;
  }
}

TEST(WidthMonitor, AcceptsTheLargestAndRefusesTheNext) {
  EXPECT_TRUE(fits(31));
  EXPECT_TRUE(fits(-31));
  EXPECT_FALSE(fits(32));
  EXPECT_FALSE(fits(-32));
  EXPECT_FALSE(fits(int64_t{1} << 60));
}

TEST(WidthMonitor, UnitedMagnitudesAreAsWideAsTheWidest) {
  EXPECT_NO_THROW(require_united_width(kBus, 16 | 9 | 31));
  EXPECT_THROW(require_united_width(kBus, 32 | 1), InternalError);
  EXPECT_THROW(require_united_width(kBus, uint64_t{1} << 63), InternalError);
}

TEST(WidthMonitor, RemembersAnEarlierValueAndNamesTheBus) {
  WidthMonitor monitor(kBus);
  monitor.observe(100);
  monitor.observe(1);
  try {
    monitor.require();
    FAIL() << "100 does not fit 5 bits";
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("test bus"), std::string::npos);
  }
}

}  // namespace
}  // namespace nibblecore::hw
