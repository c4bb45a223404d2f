// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "hw/datapath/dot_product_array.hpp"
#include "model/formats/e2m1.hpp"
#include "model/formats/packed_matrix.hpp"
#include "model/formats/s1p2.hpp"
#include "tests/hardware/datapath/available_targets.hpp"

namespace nibblecore::hw {
namespace {

// Rows and columns below, at and above whole groups of 16 lanes.
constexpr std::array<CoreDescription, 6> kShapes{{{"", 16, 16, 64, ""},
                                                  {"", 5, 17, 64, ""},
                                                  {"", 17, 5, 128, ""},
                                                  {"", 1, 1, 64, ""},
                                                  {"", 33, 31, 64, ""},
                                                  {"", 8, 48, 192, ""}}};

constexpr BlockFormat kE2m1Block64{"", ElementKind::kE2m1, ScaleKind::kE8m0, 64};

CodeSlice random_slice(int lanes, int depth, std::mt19937& random) {
  CodeSlice slice(lanes, depth);
  for (uint8_t& byte : slice.codes) {
    byte = static_cast<uint8_t>(random());
  }
  for (uint8_t& bits : slice.level2) {
    bits = static_cast<uint8_t>(random());
  }
  for (uint16_t& bits : slice.level3) {
    bits = static_cast<uint16_t>(random());
  }
  return slice;
}

/// Element k of a lane by the definition, with both micro-exponents where it is S1P2.
int32_t defined_element(ElementKind kind, const CodeSlice& slice, int depth, int lane, int k) {
  const uint8_t code = packed_code(slice.codes.data(), int64_t{lane} * depth + k);
  if (kind == ElementKind::kE2m1) {
    return kE2m1Doubled[code];
  }
  const size_t unit = static_cast<size_t>(lane) * (depth / 64) + k / 64;
  const int level2 = (slice.level2[unit] >> (k % 64 / 8)) & 1;
  const int level3 = (slice.level3[unit] >> (k % 64 / 4)) & 1;
  return s1p2_quarters(code) * (1 << (level2 + level3));
}

/// Block sums by the definition: [blocks, rows, columns].
std::vector<int32_t> defined_sums(const CoreDescription& core, const BlockFormat& format,
                                  const CodeSlice& a, const CodeSlice& b) {
  std::vector<int32_t> sums;
  for (int first = 0; first < core.depth; first += format.block) {
    for (int i = 0; i < core.rows; ++i) {
      for (int j = 0; j < core.columns; ++j) {
        int32_t sum = 0;
        for (int k = first; k < first + format.block; ++k) {
          sum += defined_element(format.element, a, core.depth, i, k) *
                 defined_element(format.element, b, core.depth, j, k);
        }
        sums.push_back(sum);
      }
    }
  }
  return sums;
}

/// The same from the array, without the lanes that pad a row; those must be 0.
std::vector<int32_t> array_sums(const CoreDescription& core, const BlockFormat& format,
                                const CodeSlice& a, const CodeSlice& b, SimdTarget target) {
  DotProductArray array(core, target);
  BlockSums result(core);
  array.multiply(format, a, b, result);
  std::vector<int32_t> sums;
  const int stride = padded_lanes(core.columns);
  for (int i = 0; i < core.depth / format.block * core.rows * stride; ++i) {
    const int32_t sum = result.sums[static_cast<size_t>(i)];
    if (i % stride < core.columns) {
      sums.push_back(sum);
    } else {
      EXPECT_EQ(sum, 0) << "padding";
    }
  }
  return sums;
}

TEST(DotProductTargets, EveryTargetGivesTheDefinedSumsInEveryShape) {
  std::mt19937 random(13);
  const std::vector<SimdTarget> targets = test::available_targets();
  for (const CoreDescription& core : kShapes) {
    for (const BlockFormat& format : {kMxfp4, kHif4, kNvfp4, kE2m1Block64}) {
      for (int repetition = 0; repetition < 5; ++repetition) {
        const CodeSlice a = random_slice(core.rows, core.depth, random);
        const CodeSlice b = random_slice(core.columns, core.depth, random);
        const std::vector<int32_t> expected = defined_sums(core, format, a, b);
        for (const SimdTarget target : targets) {
          ASSERT_EQ(array_sums(core, format, a, b, target), expected)
              << simd_target_name(target) << ", block " << format.block << ", " << core.rows << "x"
              << core.columns << "x" << core.depth;
        }
      }
    }
  }
}

TEST(DotProductTargets, LargestSumsOfEitherSign) {
  constexpr CoreDescription kCore{"", 5, 17, 64, ""};
  for (const SimdTarget target : test::available_targets()) {
    for (const uint8_t b_codes : {uint8_t{0x77}, uint8_t{0xFF}}) {
      CodeSlice a(kCore.rows, kCore.depth);
      CodeSlice b(kCore.columns, kCore.depth);
      std::fill(a.codes.begin(), a.codes.end(), uint8_t{0x77});
      std::fill(b.codes.begin(), b.codes.end(), b_codes);
      for (CodeSlice* slice : {&a, &b}) {
        std::fill(slice->level2.begin(), slice->level2.end(), uint8_t{0xFF});
        std::fill(slice->level3.begin(), slice->level3.end(), uint16_t{0xFFFF});
      }
      for (const BlockFormat& format : {kMxfp4, kHif4, kNvfp4, kE2m1Block64}) {
        const std::vector<int32_t> sums = array_sums(kCore, format, a, b, target);
        const int32_t product = format.element == ElementKind::kE2m1 ? 144 : 784;
        const int32_t largest = (b_codes == 0x77 ? 1 : -1) * format.block * product;
        EXPECT_EQ(sums, std::vector<int32_t>(sums.size(), largest)) << simd_target_name(target);
      }
    }
  }
}

}  // namespace
}  // namespace nibblecore::hw
