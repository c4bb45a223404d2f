// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/scale_bits.hpp"

#include <gtest/gtest.h>

#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore::tb {
namespace {

std::vector<std::string> names_of(const std::string& text) {
  std::vector<std::string> names;
  for (const NamedScale& scale : scales_of(text)) {
    names.push_back(scale.name);
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(ScaleBits, EachNumberInThreeRoundings) {
  EXPECT_EQ(names_of("0"), (Names{"E8M0 up", "E8M0 nearest", "E8M0 down"}));
  EXPECT_EQ(names_of("3"), (Names{"E8M0 up", "E8M3 up", "E8M3 nearest", "E8M3 down"}));
  EXPECT_EQ(names_of("inf"), (Names{"E8M0 up", "unquantized"}));
  EXPECT_EQ(names_of("0..8,inf").size(), 9U * 3 + 1);
}

TEST(ScaleBits, ChoicesAreWhatTheNamesSay) {
  const std::vector<NamedScale> scales = scales_of("7,inf");
  EXPECT_EQ(scales[0].choice.mantissa_bits, 0);
  EXPECT_EQ(scales[0].choice.scale, SweepScale::kRoundedUp);
  EXPECT_EQ(scales[1].choice.mantissa_bits, 7);
  EXPECT_EQ(scales[1].choice.scale, SweepScale::kRoundedUp);
  EXPECT_EQ(scales[2].choice.scale, SweepScale::kNearest);
  EXPECT_EQ(scales[3].choice.scale, SweepScale::kRoundedDown);
  EXPECT_EQ(scales[3].choice.mantissa_bits, 7);
  EXPECT_EQ(scales[4].choice.scale, SweepScale::kUnlimited);
}

class BadScaleBits : public testing::TestWithParam<const char*> {};

TEST_P(BadScaleBits, AreRefused) {
  const std::string text = GetParam();
  const std::string message = input_error([&] { scales_of(text); });
  EXPECT_NE(message.find("--scale-bits"), std::string::npos) << text << ": " << message;
}

INSTANTIATE_TEST_SUITE_P(Texts, BadScaleBits,
                         testing::Values("", "x", "-1", "24", "0..", "..8", "8..0", "0..24", "1,,2",
                                         "1,1", "0..3,2", "inf,inf", "1 ", "0...2"));

}  // namespace
}  // namespace nibblecore::tb
