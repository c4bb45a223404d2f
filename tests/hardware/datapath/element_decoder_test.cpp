// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/element_decoder.hpp"

#include <gtest/gtest.h>

#include "hw/datapath/lanes.hpp"
#include "model/formats/e2m1.hpp"
#include "model/formats/s1p2.hpp"

namespace nibblecore::hw {
namespace {

TEST(ElementDecoder, EveryCode) {
  for (int32_t code = 0; code < 16; ++code) {
    const auto bits = static_cast<uint32_t>(code);
    int32_t value = 0;
    decode_e2m1_doubled<int32_t>(code, value);
    EXPECT_EQ(value, 2 * decode_double(kE2m1Format, bits)) << code;
    for (int32_t level3 = 0; level3 < 2; ++level3) {
      decode_s1p2_shifted<int32_t>(code, level3, value);
      EXPECT_EQ(value, (4 << level3) * decode_double(kS1p2Format, bits)) << code;
    }
  }
}

TEST(ElementDecoder, EveryCodeInALaneOfItsOwn) {
  Int16Lanes codes;
  for (int lane = 0; lane < kLanes; ++lane) {
    codes[lane] = static_cast<int16_t>(lane);
  }
  Int16Lanes doubled;
  decode_e2m1_doubled(codes, doubled);
  // Level 3 differs from lane to lane.
  const Int16Lanes level3 = (codes ^ (codes >> 1)) & 1;
  Int16Lanes quarters;
  decode_s1p2_shifted(codes, level3, quarters);
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto code = static_cast<uint32_t>(lane);
    EXPECT_EQ(doubled[lane], 2 * decode_double(kE2m1Format, code));
    EXPECT_EQ(quarters[lane], (4 << level3[lane]) * decode_double(kS1p2Format, code));
  }
}

}  // namespace
}  // namespace nibblecore::hw
