// SPDX-License-Identifier: Apache-2.0
#include "model/machine/core_description.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

CoreDescription core_of(int rows, int columns, int depth) {
  return {"mine", rows, columns, depth, "test"};
}

TEST(CoreDescription, DefaultCoreByName) {
  const CoreDescription& core = core_description("core16x16x64");
  EXPECT_EQ(core.rows, 16);
  EXPECT_EQ(core.columns, 16);
  EXPECT_EQ(core.depth, 64);
  EXPECT_EQ(core.macs_a_step(), 16'384);
}

TEST(CoreDescription, MacsOfAStepUse64Bits) {
  EXPECT_EQ(core_of(1 << 12, 1 << 12, 1 << 12).macs_a_step(), int64_t{1} << 36);
}

TEST(CoreDescription, UnknownNameListsTheKnownOnes) {
  for (const char* name : {"", "core16x16x6", "CORE16X16X64", "core16x16x64 "}) {
    EXPECT_THAT([&] { core_description(name); },
                ThrowsMessage<InputError>(testing::AllOf(HasSubstr("--machine"),
                                                         HasSubstr("'" + std::string(name) + "'"),
                                                         HasSubstr("(known: core16x16x64)"))));
  }
}

TEST(RequireSupported, EveryNamedFormatOnEveryNamedCore) {
  for (const CoreDescription& core : kCores) {
    for (const BlockFormat& format : kBlockFormats) {
      EXPECT_NO_THROW(require_supported(core, format)) << core.name << ", " << format.name;
    }
  }
}

TEST(RequireSupported, DepthHoldsWholeBlocks) {
  EXPECT_NO_THROW(require_supported(core_of(16, 16, 16), kNvfp4));
  EXPECT_NO_THROW(require_supported(core_of(16, 16, 96), kMxfp4));
  EXPECT_NO_THROW(require_supported(core_of(1, 1, 128), kHif4));
  EXPECT_THROW(require_supported(core_of(16, 16, 16), kMxfp4), InputError);
  EXPECT_THROW(require_supported(core_of(16, 16, 24), kNvfp4), InputError);
  EXPECT_THROW(require_supported(core_of(16, 16, 63), kHif4), InputError);
  EXPECT_THAT([] { require_supported(core_of(16, 16, 96), kHif4); },
              ThrowsMessage<InputError>(testing::AllOf(
                  HasSubstr("machine mine"), HasSubstr("depth 96"), HasSubstr("block of 64"))));
}

TEST(RequireSupported, ShapeIsPositive) {
  for (const CoreDescription& core :
       {core_of(0, 16, 64), core_of(16, 0, 64), core_of(16, 16, 0), core_of(-16, 16, 64),
        core_of(16, -1, 64), core_of(16, 16, -64)}) {
    EXPECT_THAT([&] { require_supported(core, kMxfp4); },
                ThrowsMessage<InputError>(HasSubstr("must be positive")));
  }
}

}  // namespace
}  // namespace nibblecore
