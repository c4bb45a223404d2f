// SPDX-License-Identifier: Apache-2.0
#include "model/formats/e2m1_unit.hpp"

#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/ue4m3.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;

template <size_t Size>
void expect_round_trips() {
  std::mt19937 random(10);
  for (int i = 0; i < 1000; ++i) {
    E2m1Unit<Size> unit;
    unit.scale = static_cast<uint8_t>(random());
    for (uint8_t& code : unit.codes) {
      code = static_cast<uint8_t>(random() % 16);
    }
    const auto bytes = pack(unit);
    const E2m1Unit<Size> back = unpack_e2m1<Size>(bytes);
    ASSERT_EQ(back.scale, unit.scale);
    ASSERT_EQ(back.codes, unit.codes);
  }
}

TEST(E2m1Unit, PackedUnitsComeBack) {
  expect_round_trips<32>();
  expect_round_trips<16>();
}

TEST(E2m1Unit, EvenElementIsInTheLowNibble) {
  // Halves instead of pairs would give 0x00, 0x11, ... here.
  Nvfp4Unit nvfp4{0x38, {}};
  for (size_t i = 0; i < 16; ++i) {
    nvfp4.codes[i] = static_cast<uint8_t>(i % 16);
  }
  EXPECT_THAT(pack(nvfp4), ElementsAre(0x38, 0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE));
  Mxfp4Unit mxfp4{0x7F, {}};
  for (size_t i = 0; i < 32; ++i) {
    mxfp4.codes[i] = static_cast<uint8_t>(i % 16);
  }
  EXPECT_THAT(pack(mxfp4), ElementsAre(0x7F, 0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE, 0x10,
                                       0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE));
}

TEST(E2m1Unit, DecodesEveryCodeUnderEveryScale) {
  const double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (const NumberFormat& format : {kE8m0Format, kUe4m3Format}) {
    for (uint32_t scale = 0; scale < 256; ++scale) {
      const double scale_value = decode_double(format, scale);
      for (uint32_t code = 0; code < 16; ++code) {
        const float value =
            decode_e2m1(static_cast<uint8_t>(code), static_cast<uint8_t>(scale), format);
        if (std::isnan(scale_value)) {
          ASSERT_EQ(float_bits(value), 0x7FC00000U);
          continue;
        }
        const double magnitude = magnitudes[code % 8] * scale_value;
        const auto expected = static_cast<float>(code >= 8 ? -magnitude : magnitude);
        ASSERT_EQ(float_bits(value), float_bits(expected)) << format.name << scale << " " << code;
      }
    }
  }
}

TEST(E2m1Unit, ValuesOfAScaleAreThoseOfItsCodes) {
  for (const NumberFormat& format : {kE8m0Format, kUe4m3Format}) {
    for (int scale = 0; scale < 256; ++scale) {
      const E2m1Values values(static_cast<uint8_t>(scale), format);
      for (uint8_t code = 0; code < 16; ++code) {
        ASSERT_EQ(float_bits(values[code]),
                  float_bits(decode_e2m1(code, static_cast<uint8_t>(scale), format)))
            << format.name << " scale " << scale << " code " << int{code};
      }
    }
  }
}

TEST(E2m1Unit, EndsOfMxfp4) {
  const auto bits = [](uint8_t code, uint8_t scale) {
    return float_bits(decode_e2m1(code, scale, kE8m0Format));
  };
  EXPECT_EQ(bits(0x1, 0), 0x00200000U);    // 2^-128
  EXPECT_EQ(bits(0xB, 0), 0x80600000U);    // -1.5 * 2^-127
  EXPECT_EQ(bits(0x8, 0), 0x80000000U);    // -0
  EXPECT_EQ(bits(0x7, 252), 0x7F400000U);  // 6 * 2^125
  EXPECT_EQ(bits(0x5, 253), 0x7F400000U);  // 3 * 2^126
  EXPECT_EQ(bits(0x6, 253), 0x7F800000U);  // 4 * 2^126 is beyond FP32
  EXPECT_EQ(bits(0xF, 253), 0xFF800000U);
  EXPECT_EQ(bits(0x3, 254), 0x7F400000U);  // 1.5 * 2^127
  EXPECT_EQ(bits(0x4, 254), 0x7F800000U);
  EXPECT_EQ(bits(0x0, 254), 0x00000000U);
  EXPECT_EQ(bits(0x0, 255), 0x7FC00000U);
}

TEST(E2m1Unit, EndsOfNvfp4) {
  EXPECT_EQ(decode_e2m1(0x7, 0x7E, kUe4m3Format), 2688.0F);
  EXPECT_EQ(decode_e2m1(0x1, 0x01, kUe4m3Format), 0x1p-10F);
  EXPECT_EQ(float_bits(decode_e2m1(0xF, 0x00, kUe4m3Format)), 0x80000000U);
}

}  // namespace
}  // namespace nibblecore
