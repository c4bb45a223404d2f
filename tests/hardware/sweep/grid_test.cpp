// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/grid.hpp"

#include <gtest/gtest.h>

#include "tb/sweep/name_list.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore::tb {
namespace {

std::vector<std::string> texts(const GridAxes& axes) {
  std::vector<std::string> list;
  for (const GridPoint& point : grid_points(axes)) {
    list.push_back(point.scheme
                       ? point.scheme->name
                       : std::string(point.preset.format.name) + " " + point.preset.name + " " +
                             point.correction.name + " " + std::string(name_of(point.residual)));
  }
  return list;
}

using Texts = std::vector<std::string>;

TEST(NameList, SplitsAndRefuses) {
  EXPECT_EQ(name_list("", "x"), Texts());
  EXPECT_EQ(name_list("a,b", "x"), (Texts{"a", "b"}));
  EXPECT_NE(input_error([] { name_list("a,,b", "--x"); }).find("--x"), std::string::npos);
  EXPECT_NE(input_error([] { name_list("a,b,a", "--x"); }).find("'a' twice"), std::string::npos);
}

TEST(Grid, DefaultIsTheFirstPresetOfEachFormat) {
  EXPECT_EQ(texts({}),
            (Texts{"mxfp4 rceil none none", "hif4 amct none none", "nvfp4 te_nvfp4 none none"}));
}

TEST(Grid, TheLastAxisChangesFastest) {
  EXPECT_EQ(texts({{"hif4"}, {}, {"none", "sr"}, {"none", "2:4"}, {}}),
            (Texts{"hif4 amct none none", "hif4 amct none 2:4", "hif4 amct sr none",
                   "hif4 amct sr 2:4"}));
}

TEST(Grid, PresetsPickTheirFormats) {
  EXPECT_EQ(texts({{}, {"floor", "te_nvfp4"}, {}, {}, {}}),
            (Texts{"mxfp4 floor none none", "nvfp4 te_nvfp4 none none"}));
  size_t hif4_presets = 0;
  for (const Preset& each : presets()) {
    hif4_presets += each.format.name == kHif4.name ? 1 : 0;
  }
  EXPECT_EQ(texts({{"hif4"}, {"all"}, {}, {}, {}}).size(), hif4_presets);
}

TEST(Grid, SchemesFollowOrStandAlone) {
  EXPECT_EQ(texts({{}, {}, {}, {}, {"quartet", "alto"}}), (Texts{"quartet", "alto"}));
  EXPECT_EQ(texts({{"mxfp4"}, {}, {}, {}, {"alto"}}), (Texts{"mxfp4 rceil none none", "alto"}));
}

TEST(Grid, UnknownNames) {
  const auto message = [](const GridAxes& axes) { return input_error([&] { grid_points(axes); }); };
  EXPECT_NE(message({{"fp4"}, {}, {}, {}, {}}).find("fp4"), std::string::npos);
  EXPECT_NE(message({{}, {"best"}, {}, {}, {}}).find("--presets"), std::string::npos);
  EXPECT_NE(message({{"hif4"}, {"rceil"}, {}, {}, {}}).find("no preset of format hif4"),
            std::string::npos);
  EXPECT_NE(message({{}, {}, {}, {"1:2"}, {}}).find("1:2"), std::string::npos);
  EXPECT_NE(message({{}, {}, {}, {}, {"best"}}).find("best"), std::string::npos);
}

GridPoint point(const std::string& correction, ResidualPattern residual) {
  return {preset(kMxfp4, ""), named_correction(correction), residual, std::nullopt};
}

TEST(WithPoint, StochasticRoundingIsThePresets) {
  EXPECT_TRUE(is_stochastic(with_point({}, point("sr", ResidualPattern::kNone)).preset));
  EXPECT_FALSE(is_stochastic(with_point({}, point("square", ResidualPattern::kNone)).preset));
}

TEST(WithPoint, AFallbackIsTheResidual) {
  ReplayOptions base;
  base.residual.scope = ResidualScope::kAll;
  const ReplayOptions options = with_point(base, point("fallback-1", ResidualPattern::kNone));
  EXPECT_EQ(options.residual.pattern, ResidualPattern::kDense);
  EXPECT_EQ(options.residual.scope, ResidualScope::kAll);
  EXPECT_EQ(options.corrections.fallback_alpha, 1.0F);
  EXPECT_NE(input_error([&] {
              with_point(base, point("fallback-1", ResidualPattern::kTwoOfFour));
            }).find("residual 2:4"),
            std::string::npos);
  EXPECT_EQ(with_point(base, point("sr", ResidualPattern::kTwoOfFour)).residual.pattern,
            ResidualPattern::kTwoOfFour);
}

}  // namespace
}  // namespace nibblecore::tb
