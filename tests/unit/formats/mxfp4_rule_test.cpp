// SPDX-License-Identifier: Apache-2.0
#include "model/formats/mxfp4_rule.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "model/formats/preset.hpp"

namespace nibblecore {
namespace {

TEST(Mxfp4Rule, QuirksHaveRecordsOfTheirOwnAndSomePreset) {
  std::set<std::string> names;
  std::set<uint32_t> bits;
  for (const Mxfp4QuirkRecord& record : kMxfp4Quirks) {
    names.emplace(record.name);
    bits.insert(static_cast<uint32_t>(record.quirk));
    EXPECT_FALSE(record.meaning.empty()) << record.name;
    bool used = false;
    for (const Preset& preset : presets()) {
      const auto* rule = std::get_if<Mxfp4Rule>(&preset.rule);
      used = used || (rule != nullptr && rule->quirks.has(record.quirk));
    }
    EXPECT_TRUE(used) << record.name;
  }
  EXPECT_EQ(names.size(), kMxfp4Quirks.size());
  EXPECT_EQ(bits.size(), kMxfp4Quirks.size());
}

TEST(Mxfp4Rule, NamesOfASet) {
  const Mxfp4Quirks quirks{Mxfp4Quirk::kDecodeClamps, Mxfp4Quirk::kLog2f};
  EXPECT_EQ(quirks.names(), "log2f, decode_clamps");
  EXPECT_EQ(quirks.without(Mxfp4Quirk::kLog2f).names(), "decode_clamps");
  EXPECT_EQ(quirks.without(Mxfp4Quirk::kPositiveZero).names(), "log2f, decode_clamps");
  EXPECT_EQ(Mxfp4Quirks{}.names(), "");
  EXPECT_TRUE(Mxfp4Quirks{}.empty());
  EXPECT_FALSE(quirks.empty());
}

TEST(Mxfp4Rule, OnlyFourThirdsLeavesAFactor) {
  for (const ScaleRuleRecord& record : kScaleRules) {
    const Mxfp4Rule rule{record.rule, Rounding::kNearestEven};
    EXPECT_EQ(scale_factor(rule), record.rule == ScaleRule::kFourThirds ? 0x1.555556p-2F : 1.0F)
        << record.name;
  }
}

}  // namespace
}  // namespace nibblecore
