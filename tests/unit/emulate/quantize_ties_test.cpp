// SPDX-License-Identifier: Apache-2.0
// Values on, one step above and one step below every number where a step of a quantizer changes its
// result.
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/emulate/quantize.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/fp32.hpp"
#include "model/formats/ue4m3.hpp"
#include "tests/unit/emulate/quantize_cases.hpp"

namespace nibblecore {
namespace {

constexpr double kE2m1Limits[] = {0.25, 0.5, 0.75, 1.0, 1.25, 1.75, 2.5, 3.5, 5.0, 6.0, 7.0};

/// Adds `value` and its neighbours, in alternating signs; both BF16 numbers' middles around it,
/// too.
void add_near(double value, std::vector<uint32_t>& bits) {
  const uint32_t nearest = float_bits(static_cast<float>(value));
  for (const uint32_t near :
       {nearest, nearest + 1, nearest - 1, nearest + 0x8000, nearest + 0x8001, nearest + 0x7FFF,
        nearest - 0x8000, nearest - 0x8001, nearest - 0x7FFF}) {
    if (fp32_is_finite(near) && near < kFp32SignBit) {
      bits.push_back(near | (bits.size() % 2 == 0 ? 0 : kFp32SignBit));
    }
  }
}

TEST(EmulateQuantizeTies, Mxfp4AtEveryExponent) {
  std::vector<uint32_t> bits;
  for (uint32_t field = 0; field < 255; ++field) {
    for (const uint32_t fraction : {0U, 1U, 0x200000U, 0x3FFFFFU, 0x400000U, 0x400001U, 0x5FFFFFU,
                                    0x600000U, 0x600001U, 0x7FFFFFU}) {
      for (int exponent = static_cast<int>(field) - 130; exponent <= static_cast<int>(field) - 128;
           ++exponent) {
        bits.push_back((field << 23) | fraction);
        const float largest = bits_float(bits.back());
        std::vector<uint32_t> near;
        for (const double limit : kE2m1Limits) {
          const auto value = static_cast<float>(std::ldexp(limit, exponent));
          for (const uint32_t own :
               {float_bits(value) - 1, float_bits(value), float_bits(value) + 1}) {
            if (own < kFp32Infinity && bits_float(own) <= largest && near.size() < 31) {
              near.push_back(own | (near.size() % 2 == 0 ? 0 : kFp32SignBit));
            }
          }
        }
        near.resize(31);
        bits.insert(bits.end(), near.begin(), near.end());
      }
    }
  }
  const auto rows = static_cast<int64_t>(bits.size() / 32);
  for (const Preset& preset : emulated_presets()) {
    if (preset.format.name == kMxfp4.name) {
      expect_golden(view_of(bits, rows, 32), preset);
    }
  }
}

TEST(EmulateQuantizeTies, Hif4UnderEveryScale) {
  std::mt19937 random(9);
  for (const char* const name : {"amct", "model_a6_rne"}) {
    std::vector<uint32_t> bits;
    for (uint32_t code = 0; code < kE6m2Nan; ++code) {
      const double scale = decode_double(kE6m2Format, code);
      const double reciprocal =
          bits_float(uint32_t{e6m2_reciprocal_bf16(static_cast<uint8_t>(code))} << 16);
      std::vector<uint32_t> near;
      for (const double power : {1.0, 2.0, 4.0}) {
        for (int half = 1; half < 16; ++half) {
          add_near(half / 8.0 * power / reciprocal, near);
        }
        add_near(power / reciprocal, near);
      }
      // Units whose scale this is, where the largest magnitudes stand first in their groups of 64.
      for (int unit = 0; unit < 24; ++unit) {
        const auto largest = static_cast<float>(scale * (6.7 + 0.6 * (unit % 3) / 2.0));
        bits.push_back(float_bits(largest));
        for (int i = 1; i < 64; ++i) {
          uint32_t value = near[random() % near.size()];
          // Few are large, so that micro-exponents are 0 here and 1 there.
          const bool is_small = unit % 4 != 0 && (i / 4) % 4 != unit % 4;
          if (bits_float(value & ~kFp32SignBit) > largest * (is_small ? 0.26F : 1.0F)) {
            value = 0;
          }
          bits.push_back(value);
        }
      }
      // And those where it changes.
      std::vector<uint32_t> limits;
      for (const double significand : {0.875, 0.9375, 1.0, 1.0625, 1.125}) {
        add_near(scale * significand / 0.142578125, limits);
      }
      for (const uint32_t limit : limits) {
        bits.push_back(limit);
        bits.resize(bits.size() + 63, limit - 0x01000000);
      }
    }
    expect_golden(view_of(bits, static_cast<int64_t>(bits.size() / 64), 64), preset(kHif4, name));
  }
}

TEST(EmulateQuantizeTies, Nvfp4UnderEveryScale) {
  for (const float largest : {6.0F, 2688.0F, 1.7F, 3e-3F, 1e30F, 3e-37F}) {
    const float encode = 2688.0F / largest;
    const float decode = 1 / encode;
    std::vector<uint32_t> bits(16);
    bits[0] = float_bits(largest);
    for (uint32_t code = 0; code < kUe4m3Nan; ++code) {
      const double scale = decode_double(kUe4m3Format, code);
      const double next = decode_double(kUe4m3Format, code + 1 < kUe4m3Nan ? code + 1 : code);
      // Blocks at the ends of what this scale stands for.
      std::vector<uint32_t> maxima;
      add_near((scale + next) / 2 / (double{encode} / 6), maxima);
      add_near(scale / (double{encode} / 6), maxima);
      for (const uint32_t maximum : maxima) {
        if (bits_float(maximum & ~kFp32SignBit) > largest) {
          continue;
        }
        bits.push_back(maximum);
        std::vector<uint32_t> near;
        for (const double limit : kE2m1Limits) {
          add_near(limit * (scale * decode), near);
        }
        for (size_t i = 0; i < 15; ++i) {
          const uint32_t value =
              near.empty() ? 0 : near[(i * 7 + maxima.size() + bits.size()) % near.size()];
          const bool fits = (value & ~kFp32SignBit) <= (maximum & ~kFp32SignBit);
          bits.push_back(fits ? value : kFp32SignBit);
        }
      }
    }
    for (const RoundingRecord& rounding : kDeterministicRoundings) {
      expect_golden(view_of(bits, static_cast<int64_t>(bits.size() / 16), 16),
                    with_rounding(preset(kNvfp4, ""), rounding.rounding));
    }
  }
}

TEST(EmulateQuantizeTies, Nvfp4WithInfinityNanAndZeros) {
  std::vector<uint32_t> bits(64);
  bits[3] = 0x80000000;
  expect_golden(view_of(bits, 2, 32), preset(kNvfp4, ""));
  bits[5] = 0x00000001;
  expect_golden(view_of(bits, 2, 32), preset(kNvfp4, ""));
  bits[20] = 0xFF800000;
  bits[21] = 0x40400000;
  expect_golden(view_of(bits, 2, 32), preset(kNvfp4, ""));
  bits[40] = 0xFF800001;
  expect_golden(view_of(bits, 2, 32), preset(kNvfp4, ""));
}

}  // namespace
}  // namespace nibblecore
