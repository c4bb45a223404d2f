// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/mxfp4_peer_elements.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/preset.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kSmallest = std::numeric_limits<float>::denorm_min();
constexpr uint8_t kOne = 127;  // the scale 1

std::vector<int> codes(const std::string& name, uint8_t scale, const std::vector<float>& values) {
  std::vector<uint8_t> result(values.size());
  mxfp4_peer_codes(values.data(), static_cast<int>(values.size()), scale,
                   std::get<Mxfp4Rule>(preset(kMxfp4, name).rule), result.data());
  return {result.begin(), result.end()};
}

TEST(Mxfp4PeerElements, SignsOfZeros) {
  // -0, an underflow that FP32 holds, and one that it doesn't: the scale 2^10 halves the smallest.
  const std::vector<float> zeros{-0.0F, -1e-3F, -kSmallest};
  EXPECT_THAT(codes("aiter_ceil", 137, zeros), ElementsAre(8, 8, 8));
  EXPECT_THAT(codes("microxcaling_cpp_even", 137, zeros), ElementsAre(0, 0, 0));
  EXPECT_THAT(codes("microxcaling_torch_even", 137, zeros), ElementsAre(0, 8, 0));
  EXPECT_THAT(codes("te_pow2_ceil", 137, zeros), ElementsAre(0, 8, 0));
  EXPECT_THAT(codes("gfloat_amax_float64", 137, zeros), ElementsAre(8, 8, 8));
  EXPECT_THAT(codes("ggml_mxfp4", 137, zeros), ElementsAre(0, 0, 0));
  EXPECT_THAT(codes("fpquant_mxfp4", 137, zeros), ElementsAre(0, 8, 0));
}

TEST(Mxfp4PeerElements, AddingHalfInFp32RoundsJustBelowATie) {
  const float below = std::nextafter(0.25F, 0.0F);
  EXPECT_THAT(codes("microxcaling_torch_nearest", kOne, {below, 0.25F, 0.75F, -2.5F, 5, 7.5F}),
              ElementsAre(1, 1, 2, 13, 7, 7));
  EXPECT_THAT(codes("microxcaling_cpp_nearest", kOne, {below}), ElementsAre(0));
  EXPECT_THAT(codes("microxcaling_torch_even", kOne, {0.25F, 0.75F, 1.25F, -2.5F, 3.5F, 5}),
              ElementsAre(0, 2, 2, 12, 6, 6));
  EXPECT_THAT(codes("microxcaling_torch_floor", kOne, {0.49F, 0.99F, 1.4F, -5.9F, 6}),
              ElementsAre(0, 1, 2, 14, 7));
}

TEST(Mxfp4PeerElements, SmallestErrorTakesTheFirstCode) {
  EXPECT_THAT(codes("ggml_mxfp4", kOne, {0.25F, 0.75F, -1.25F, 1.75F, 2.5F, -3.5F, 5}),
              ElementsAre(0, 1, 10, 3, 4, 13, 6));
  EXPECT_THAT(codes("ggml_mxfp4", kOne, {100, -100, kNan, kInfinity, -kInfinity}),
              ElementsAre(7, 15, 0, 0, 0));
  // Far above the scale every error is the value itself in FP32.
  EXPECT_THAT(codes("ggml_mxfp4", 0, {1, -1}), ElementsAre(0, 0));
}

TEST(Mxfp4PeerElements, DivisionByFourThirdsInFp32) {
  // Under code 127 the scale is 1/3.
  EXPECT_THAT(codes("fpquant_mxfp4", kOne, {1, -1.2F, 0.25F, std::nextafter(0.25F, 0.0F), 1.99F}),
              ElementsAre(5, 14, 2, 1, 7));
}

TEST(Mxfp4PeerElements, UnderANanScale) {
  const float payload = bits_float(0xFFFFFFFF);
  EXPECT_THAT(codes("torchao_even", 255, {1, -kInfinity, kNan, payload}), ElementsAre(3, 3, 3, 3));
  EXPECT_THAT(codes("aiter_even", 255, {1, -kInfinity, kNan, payload}), ElementsAre(3, 3, 3, 12));
  // A payload at a tie, one just below it.
  EXPECT_THAT(codes("aiter_even", 255, {bits_float(0x7FE00000), bits_float(0xFFDFFFFF)}),
              ElementsAre(4, 11));
  EXPECT_THAT(codes("microxcaling_torch_even", 255, {1, -kInfinity, kNan}), ElementsAre(0, 0, 0));
  // Here it is an infinite scale.
  EXPECT_THAT(
      codes("triton_kernels_round_down", 255, {1, -1, kInfinity, -kInfinity, kNan, payload}),
      ElementsAre(0, 8, 15, 15, 7, 15));
  EXPECT_THAT(codes("triton_kernels_round_down", 0, {1, -1, kInfinity, -kInfinity, kNan, payload}),
              ElementsAre(0, 8, 15, 15, 7, 15));
}

TEST(Mxfp4PeerElements, InfinityUnderTheLargestScaleSaturates) {
  for (const std::string name : {"te_pow2_ceil", "gfloat_amax_float32"}) {
    EXPECT_THAT(codes(name, 254, {kInfinity, -kInfinity, std::numeric_limits<float>::max()}),
                ElementsAre(7, 15, 4))
        << name;
  }
}

}  // namespace
}  // namespace nibblecore
