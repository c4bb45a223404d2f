// SPDX-License-Identifier: Apache-2.0
#include "model/machine/core_description.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

CoreDescription core_of(int rows, int columns, int depth) { return {rows, columns, depth}; }

TEST(CoreDescription, DefaultCoreMultiplies16384AStep) {
  EXPECT_EQ(kDefaultCore.rows, 16);
  EXPECT_EQ(kDefaultCore.columns, 16);
  EXPECT_EQ(kDefaultCore.depth, 64);
  EXPECT_EQ(kDefaultCore.macs_a_step(), 16'384);
}

TEST(CoreDescription, MacsOfAStepUse64Bits) {
  EXPECT_EQ(core_of(1 << 12, 1 << 12, 1 << 12).macs_a_step(), int64_t{1} << 36);
}

TEST(RequireSupported, EveryNamedFormatOnTheDefaultCore) {
  for (const BlockFormat& format : kBlockFormats) {
    EXPECT_NO_THROW(require_supported(kDefaultCore, format)) << format.name;
  }
}

TEST(RequireSupported, DepthHoldsWholeBlocks) {
  EXPECT_NO_THROW(require_supported(core_of(16, 16, 16), kNvfp4));
  EXPECT_NO_THROW(require_supported(core_of(16, 16, 96), kMxfp4));
  EXPECT_NO_THROW(require_supported(core_of(1, 1, 128), kHif4));
  EXPECT_THROW(require_supported(core_of(16, 16, 16), kMxfp4), InputError);
  EXPECT_THROW(require_supported(core_of(16, 16, 24), kNvfp4), InputError);
  EXPECT_THROW(require_supported(core_of(16, 16, 63), kHif4), InputError);
  EXPECT_THAT(
      [] { require_supported(core_of(16, 8, 96), kHif4); },
      ThrowsMessage<InputError>(testing::AllOf(StartsWith("core of 16 x 8 x 96: "),
                                               HasSubstr("depth 96"), HasSubstr("block of 64"))));
}

TEST(RequireSupported, ShapeIsPositive) {
  for (const CoreDescription& core :
       {core_of(0, 16, 64), core_of(16, 0, 64), core_of(16, 16, 0), core_of(-16, 16, 64),
        core_of(16, -1, 64), core_of(16, 16, -64)}) {
    EXPECT_THAT([&] { require_supported(core, kMxfp4); },
                ThrowsMessage<InputError>(
                    testing::AllOf(StartsWith("core of "), HasSubstr("must be positive"))));
  }
}

}  // namespace
}  // namespace nibblecore
