// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/emulator_target.hpp"

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

TEST(EmulatorTarget, BestIsTheLastThatIsAvailable) {
  EXPECT_TRUE(is_available(EmulatorTarget::kPortable));
  EXPECT_TRUE(is_available(best_emulator_target()));
  bool is_behind = false;
  for (const EmulatorTargetRecord& record : kEmulatorTargets) {
    EXPECT_FALSE(is_behind && is_available(record.target)) << record.name;
    is_behind = is_behind || record.target == best_emulator_target();
  }
  EXPECT_TRUE(is_behind);
}

TEST(EmulatorTarget, FasterTargetsComeWithTheSlowerOnesThatTheyUse) {
  if (is_available(EmulatorTarget::kAmx)) {
    EXPECT_TRUE(is_available(EmulatorTarget::kAvx512Vnni));
  }
  if (is_available(EmulatorTarget::kAvx512Vnni) || is_available(EmulatorTarget::kAvxVnni)) {
    EXPECT_TRUE(is_available(EmulatorTarget::kAvx2));
  }
}

TEST(EmulatorTarget, EveryTargetHasAName) {
  EXPECT_EQ(name_of(EmulatorTarget::kPortable), "portable");
  EXPECT_EQ(name_of(EmulatorTarget::kAvx2), "avx2");
  EXPECT_EQ(name_of(EmulatorTarget::kAvxVnni), "avxvnni");
  EXPECT_EQ(name_of(EmulatorTarget::kAvx512Vnni), "avx512vnni");
  EXPECT_EQ(name_of(EmulatorTarget::kAmx), "amx");
}

}  // namespace
}  // namespace nibblecore
