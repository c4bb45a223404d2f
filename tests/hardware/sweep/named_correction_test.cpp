// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/named_correction.hpp"

#include <gtest/gtest.h>

#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore::tb {
namespace {

TEST(NamedCorrection, NoneIsNothing) {
  const NamedCorrection none = named_correction("none");
  EXPECT_EQ(none.name, "none");
  EXPECT_EQ(none.options.macro, MacroChoice::kNone);
  EXPECT_FALSE(none.options.hadamard);
  EXPECT_EQ(none.options.weight_shape, BlockShape::kRow);
  EXPECT_FALSE(none.has_fallback());
  EXPECT_FALSE(none.is_stochastic);
}

TEST(NamedCorrection, MacroBlocksHaveASearchAndALength) {
  EXPECT_EQ(named_correction("mbs-static").options.macro, MacroChoice::kStatic);
  EXPECT_EQ(named_correction("mbs-static").options.macro_block.length, 128);
  EXPECT_EQ(named_correction("mbs-dynamic-32").options.macro, MacroChoice::kDynamic);
  EXPECT_EQ(named_correction("mbs-dynamic-32").options.macro_block.length, 32);
  EXPECT_EQ(named_correction("mbs-hybrid-256").options.macro, MacroChoice::kHybrid);
  EXPECT_EQ(named_correction("mbs-hybrid-256").options.macro_block.length, 256);
}

TEST(NamedCorrection, PartsGoTogether) {
  const NamedCorrection all = named_correction("sr+mbs-static-64+fallback-0.5+hadamard-32+square");
  EXPECT_EQ(all.name, "sr+mbs-static-64+fallback-0.5+hadamard-32+square");
  EXPECT_TRUE(all.is_stochastic);
  EXPECT_EQ(all.options.macro_block.length, 64);
  EXPECT_EQ(all.options.fallback_alpha, 0.5F);
  EXPECT_FALSE(all.options.fallback_tiles);
  ASSERT_TRUE(all.options.hadamard);
  EXPECT_EQ(all.options.hadamard->length, 32);
  EXPECT_EQ(all.options.hadamard->signs, HadamardSigns::kSeeded);
  EXPECT_EQ(all.options.weight_shape, BlockShape::kSquare);
}

TEST(NamedCorrection, ARateIsNoAlpha) {
  const NamedCorrection rate = named_correction("fallback-rate-0.2");
  EXPECT_TRUE(rate.has_fallback());
  EXPECT_FALSE(rate.options.fallback_alpha);
  ASSERT_TRUE(rate.options.fallback_tiles);
  EXPECT_EQ(rate.options.fallback_tiles->rate, 0.2);
  EXPECT_FALSE(rate.options.fallback_tiles->theta);
}

class BadCorrection : public testing::TestWithParam<const char*> {};

TEST_P(BadCorrection, IsRefusedByName) {
  const std::string name = GetParam();
  const std::string message = input_error([&] { named_correction(name); });
  EXPECT_NE(message.find("--corrections"), std::string::npos) << name << ": " << message;
}

INSTANTIATE_TEST_SUITE_P(Names, BadCorrection,
                         testing::Values("", "mbs", "mbs-best", "mbs-static-100", "mbs-staticx",
                                         "mbs-static-", "mbs-none", "hadamard-8", "hadamard",
                                         "fallback-", "fallback-nan", "fallback-0.5x",
                                         "fallback-rate-1.5", "fallback-rate-", "none+sr", "sr+sr",
                                         "mbs-static+mbs-dynamic", "fallback-1+fallback-rate-0.1",
                                         "sr+", "SR"));

}  // namespace
}  // namespace nibblecore::tb
