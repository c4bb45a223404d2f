// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/nonzero_groups.hpp"

#include <algorithm>
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "hw/datapath/dot_product_array.hpp"
#include "model/common/error.hpp"
#include "tests/hardware/datapath/available_targets.hpp"
#include "tests/hardware/datapath/operands.hpp"
#include "tests/hardware/datapath/step_kinds.hpp"

namespace nibblecore::hw {
namespace {

constexpr std::array<CoreDescription, 4> kShapes{
    {{16, 16, 64}, {5, 17, 64}, {17, 5, 128}, {1, 1, 64}}};
constexpr int32_t kUntouched = INT32_MIN;

/// Codes of which most are zero: many groups have a product or two, or none.
void thin_out(std::vector<uint8_t>& codes, std::mt19937& random) {
  for (uint8_t& pair : codes) {
    pair = random() % 4 == 0 ? pair : static_cast<uint8_t>(pair & 0x88);  // +0 and -0
  }
}

/// Whether any product of each group is not zero, [groups, rows, columns].
std::vector<int32_t> defined_nonzero(const CoreDescription& core, const test::Elements& a,
                                     const test::Elements& b, int groups) {
  std::vector<int32_t> nonzero;
  for (int group = 0; group < groups; ++group) {
    for (int i = 0; i < core.rows; ++i) {
      for (int j = 0; j < core.columns; ++j) {
        bool any = false;
        for (int k = 16 * group; k < 16 * (group + 1); ++k) {
          any = any || a.at(i, k) * b.at(j, k) != 0;
        }
        nonzero.push_back(any ? 1 : 0);
      }
    }
  }
  return nonzero;
}

/// The outputs of `groups` groups without the lanes that pad a row; what lies behind must be
/// untouched.
std::vector<int32_t> outputs(const CoreDescription& core, const std::vector<int32_t>& lanes,
                             int groups) {
  const auto stride = static_cast<size_t>(padded_lanes(core.columns));
  const size_t written = static_cast<size_t>(groups) * static_cast<size_t>(core.rows) * stride;
  std::vector<int32_t> result;
  for (size_t i = 0; i < lanes.size(); ++i) {
    if (i >= written) {
      EXPECT_EQ(lanes[i], kUntouched);
    } else if (i % stride < static_cast<size_t>(core.columns)) {
      result.push_back(lanes[i]);
    }
  }
  return result;
}

TEST(NonzeroGroups, SumsAndZerosOfSixteenWhateverTheBlock) {
  std::mt19937 random(3);
  for (const SimdTarget target : test::available_targets()) {
    for (const CoreDescription& core : kShapes) {
      for (const BlockFormat& format : {kMxfp4, kNvfp4}) {
        DotProductArray array(core, target);
        for (int blocks = 1; blocks <= core.depth / format.block; ++blocks) {
          ASlice a = test::random_a(core, random);
          BSlice b = test::random_b(core, random);
          thin_out(a.dense.codes, random);
          thin_out(b.dense.codes, random);
          a.tag = test::step_tag(StepKind::kDense, blocks, 0);
          const int groups = blocks * format.block / kSixteen;
          const auto of_a =
              test::defined_elements(ElementKind::kE2m1, a.dense, core.rows, core.depth);
          const auto of_b =
              test::defined_elements(ElementKind::kE2m1, b.dense, core.columns, 2 * core.depth);
          BlockSums result(core);
          std::fill(result.sums.begin(), result.sums.end(), kUntouched);
          std::fill(result.nonzero.begin(), result.nonzero.end(), kUntouched);
          array.multiply(format, a, b, result, SumLength::kSixteen);
          EXPECT_EQ(outputs(core, result.sums, groups),
                    test::defined_sums(core, of_a, of_b, kSixteen, groups));
          EXPECT_EQ(outputs(core, result.nonzero, groups),
                    defined_nonzero(core, of_a, of_b, groups));
        }
      }
    }
  }
}

TEST(NonzeroGroups, OneProductAtAnyPlaceIsSeen) {
  constexpr CoreDescription kCore{1, 1, 64};
  DotProductArray array(kCore);
  for (int place = 0; place < 64; ++place) {
    ASlice a(1, 64);
    BSlice b(1, 64);
    a.tag = test::step_tag(StepKind::kDense, 2, 0);
    a.dense.codes.assign(a.dense.codes.size(), 0x11);
    b.dense.codes[static_cast<size_t>(place) / 2] = place % 2 == 0 ? 0x01 : 0x10;
    BlockSums result(kCore);
    array.multiply(kMxfp4, a, b, result, SumLength::kSixteen);
    for (int group = 0; group < 4; ++group) {
      EXPECT_EQ(result.nonzero[static_cast<size_t>(group) * kLanes], group == place / 16 ? 1 : 0);
    }
  }
}

TEST(NonzeroGroups, OtherElementsAndStepsAreRefused) {
  constexpr CoreDescription kCore{2, 2, 64};
  DotProductArray array(kCore);
  ASlice a(2, 64);
  const BSlice b(2, 64);
  BlockSums result(kCore);
  a.tag = test::step_tag(StepKind::kDense, 1, 0);
  EXPECT_THROW(array.multiply(kHif4, a, b, result, SumLength::kSixteen), InternalError);
  a.tag = test::step_tag(StepKind::kSparse, 0, 1);
  EXPECT_THROW(array.multiply(kMxfp4, a, b, result, SumLength::kSixteen), InternalError);
}

}  // namespace
}  // namespace nibblecore::hw
