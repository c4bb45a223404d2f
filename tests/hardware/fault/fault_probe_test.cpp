// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/fault_probe.hpp"

#include <array>

#include <gtest/gtest.h>

namespace nibblecore::tb {
namespace {

using Lanes = std::array<int32_t, 4>;

Lanes carried(FaultProbe& probe, hw::Site site, int64_t index, Lanes lanes) {
  probe.on_bus(site, index, lanes.data(), static_cast<int>(lanes.size()));
  return lanes;
}

TEST(FaultProbeTest, OneLaneOfOneBusChanges) {
  FaultProbe probe({hw::Site::kProduct, 6, 1, FaultKind::kStuckAt1});
  EXPECT_EQ(carried(probe, hw::Site::kProduct, 4, {0, 1, 4, 8}), (Lanes{0, 1, 6, 8}));
  EXPECT_EQ(carried(probe, hw::Site::kProduct, 7, {0, 1, 4, 8}), (Lanes{0, 1, 4, 8}));
  EXPECT_EQ(carried(probe, hw::Site::kProduct, 2, {0, 1, 4, 8}), (Lanes{0, 1, 4, 8}));
  EXPECT_EQ(carried(probe, hw::Site::kResidualProduct, 4, {0, 1, 4, 8}), (Lanes{0, 1, 4, 8}));
  EXPECT_EQ(probe.changed(), 1);
}

TEST(FaultProbeTest, TheSignBitExtends) {
  FaultProbe at_1({hw::Site::kProduct, 0, 8, FaultKind::kStuckAt1});
  EXPECT_EQ(carried(at_1, hw::Site::kProduct, 0, {5, 5, 5, 5})[0], 5 - 256);
  EXPECT_EQ(carried(at_1, hw::Site::kProduct, 0, {-5, 0, 0, 0})[0], -5);
  EXPECT_EQ(at_1.changed(), 1) << "-5 had the bit";
  FaultProbe at_0({hw::Site::kProduct, 0, 8, FaultKind::kStuckAt0});
  EXPECT_EQ(carried(at_0, hw::Site::kProduct, 0, {-5, 0, 0, 0})[0], 256 - 5);
}

TEST(FaultProbeTest, UnsignedBusesKeepTheirUpperBitsEmpty) {
  FaultProbe probe({hw::Site::kACode, 0, 3, FaultKind::kStuckAt1});
  EXPECT_EQ(carried(probe, hw::Site::kACode, 0, {7, 0, 0, 0})[0], 15);
  FaultProbe top({hw::Site::kAccumulator, 0, 31, FaultKind::kStuckAt1});
  EXPECT_EQ(static_cast<uint32_t>(carried(top, hw::Site::kAccumulator, 0, {1, 0, 0, 0})[0]),
            0x80000001U);
}

TEST(FaultProbeTest, WideBusesToo) {
  FaultProbe probe({hw::Site::kAlignedSum, 2, 51, FaultKind::kStuckAt1});
  int64_t value = 1;
  probe.on_wide_bus(hw::Site::kAlignedSum, 1, value);
  EXPECT_EQ(value, 1);
  probe.on_wide_bus(hw::Site::kAlignedSum, 2, value);
  EXPECT_EQ(value, (int64_t{1} << 51) + 1);
  value = -1;
  FaultProbe sign({hw::Site::kAlignedSum, 2, 52, FaultKind::kStuckAt0});
  sign.on_wide_bus(hw::Site::kAlignedSum, 2, value);
  EXPECT_EQ(value, (int64_t{1} << 52) - 1);
}

TEST(FaultProbeTest, AFlipMeetsTheFirstValueOfItsCycle) {
  FaultProbe probe({hw::Site::kACode, 0, 0, FaultKind::kFlip, 3});
  for (int64_t cycle = 0; cycle < 6; ++cycle) {
    probe.on_cycle(cycle);
    EXPECT_EQ(carried(probe, hw::Site::kACode, 0, {4, 4, 4, 4})[0], cycle == 3 ? 5 : 4);
    EXPECT_EQ(carried(probe, hw::Site::kACode, 0, {4, 4, 4, 4})[0], 4);
  }
  EXPECT_EQ(probe.changed(), 1);
}

TEST(FaultProbeTest, WithoutAFaultNothingChanges) {
  FaultProbe probe;
  EXPECT_EQ(carried(probe, hw::Site::kACode, 0, {1, 2, 3, 4}), (Lanes{1, 2, 3, 4}));
  probe.set({hw::Site::kACode, 0, 0, FaultKind::kStuckAt0});
  probe.clear();
  EXPECT_EQ(carried(probe, hw::Site::kACode, 0, {1, 2, 3, 4}), (Lanes{1, 2, 3, 4}));
}

}  // namespace
}  // namespace nibblecore::tb
