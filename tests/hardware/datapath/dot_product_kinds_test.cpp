// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "hw/datapath/dot_product_array.hpp"
#include "model/common/error.hpp"
#include "tests/hardware/datapath/available_targets.hpp"
#include "tests/hardware/datapath/operands.hpp"
#include "tests/hardware/datapath/step_kinds.hpp"

namespace nibblecore::hw {
namespace {

using test::kE2m1Block64;

// Rows and columns below, at and above whole groups of 16 lanes.
constexpr std::array<CoreDescription, 6> kShapes{
    {{16, 16, 64}, {5, 17, 64}, {17, 5, 128}, {1, 1, 64}, {33, 31, 64}, {8, 48, 192}}};

constexpr std::array<BlockFormat, 4> kFormats{kMxfp4, kHif4, kNvfp4, kE2m1Block64};

constexpr int32_t kUntouched = INT32_MIN;

/// Both operands and their elements by the definition.
struct Operands {
  ASlice a;
  BSlice b;
  test::Elements dense;
  test::Elements sparse;
  test::Elements columns;

  Operands(const CoreDescription& core, const BlockFormat& format, ASlice a_slice, BSlice b_slice)
      : a(std::move(a_slice)),
        b(std::move(b_slice)),
        dense(test::defined_elements(format.element, a.dense, core.rows, core.depth)),
        sparse(test::defined_elements(format.element, a.sparse, core.rows, 2 * core.depth)),
        columns(test::defined_elements(format.element, b.dense, core.columns, 2 * core.depth)) {}
};

/// The sums of a step by the definition, [blocks, rows, columns].
std::vector<int32_t> defined_sums(const CoreDescription& core, const BlockFormat& format,
                                  const Operands& operands) {
  const StepTag& tag = operands.a.tag;
  const auto sums_of = [&](const test::Elements& a, int blocks) {
    return test::defined_sums(core, a, operands.columns, format.block, blocks);
  };
  switch (tag.kind) {
    case StepKind::kDense:
      return sums_of(operands.dense, tag.dense_blocks);
    case StepKind::kResidual:
      return sums_of(operands.dense, tag.residual_blocks);
    case StepKind::kSparse:
    case StepKind::kSparseBeside:
      return sums_of(operands.sparse, tag.residual_blocks);
    case StepKind::kDenseAndSparse:
      break;
  }
  std::vector<int32_t> sums = sums_of(operands.dense, tag.dense_blocks);
  const std::vector<int32_t> residual = sums_of(operands.sparse, tag.residual_blocks);
  sums.insert(sums.end(), residual.begin(), residual.end());
  return sums;
}

/// The same from the array, without the lanes that pad a row; those must be 0, and what lies behind
/// the step's blocks must be as it was.
std::vector<int32_t> array_sums(const CoreDescription& core, const BlockFormat& format,
                                const Operands& operands, DotProductArray& array) {
  BlockSums result(core);
  std::fill(result.sums.begin(), result.sums.end(), kUntouched);
  array.multiply(format, operands.a, operands.b, result);
  std::vector<int32_t> sums;
  const auto stride = static_cast<size_t>(padded_lanes(core.columns));
  const size_t written =
      static_cast<size_t>(operands.a.tag.blocks()) * static_cast<size_t>(core.rows) * stride;
  for (size_t i = 0; i < result.sums.size(); ++i) {
    if (i >= written) {
      EXPECT_EQ(result.sums[i], kUntouched) << "a masked block";
    } else if (i % stride < static_cast<size_t>(core.columns)) {
      sums.push_back(result.sums[i]);
    } else {
      EXPECT_EQ(result.sums[i], 0) << "padding";
    }
  }
  return sums;
}

TEST(DotProductKinds, EveryTargetGivesTheDefinedSumsOfEveryKindInEveryShape) {
  std::mt19937 random(13);
  for (const CoreDescription& core : kShapes) {
    // One array takes all steps, so that what one leaves behind could show in the next.
    std::vector<DotProductArray> arrays;
    for (const SimdTarget target : test::available_targets()) {
      arrays.emplace_back(core, target);
    }
    for (const BlockFormat& format : kFormats) {
      for (const StepKind kind : test::kAllStepKinds) {
        for (const StepTag& tag : test::step_tags(kind, core.depth / format.block)) {
          Operands operands(core, format, test::random_a(core, random),
                            test::random_b(core, random));
          operands.a.tag = tag;
          const std::vector<int32_t> expected = defined_sums(core, format, operands);
          for (DotProductArray& array : arrays) {
            ASSERT_EQ(array_sums(core, format, operands, array), expected)
                << "target " << &array - arrays.data() << ", block " << format.block << ", kind "
                << static_cast<int>(kind) << ", blocks " << tag.dense_blocks << " and "
                << tag.residual_blocks << ", " << core.rows << "x" << core.columns << "x"
                << core.depth;
          }
        }
      }
    }
  }
}

/// Operands of the largest elements: a's positive, b's of the sign that the code has.
Operands largest(const CoreDescription& core, const BlockFormat& format, uint8_t b_codes) {
  ASlice a(core.rows, core.depth);
  BSlice b(core.columns, core.depth);
  const auto fill = [](auto& lanes, uint8_t codes) {
    std::fill(lanes.codes.begin(), lanes.codes.end(), codes);
    std::fill(lanes.level2.begin(), lanes.level2.end(), uint8_t{0xFF});
    std::fill(lanes.level3.begin(), lanes.level3.end(), uint16_t{0xFFFF});
  };
  fill(a.dense, 0x77);
  fill(a.sparse, 0x77);
  fill(b.dense, b_codes);
  std::fill(a.sparse.indices.begin(), a.sparse.indices.end(), uint8_t{0b1110'0100});
  return {core, format, std::move(a), std::move(b)};
}

TEST(DotProductKinds, LargestSumsOfEitherSignFitTheirBuses) {
  constexpr CoreDescription kCore{5, 17, 64};
  for (const SimdTarget target : test::available_targets()) {
    DotProductArray array(kCore, target);
    for (const uint8_t b_codes : {uint8_t{0x77}, uint8_t{0xFF}}) {
      for (const BlockFormat& format : kFormats) {
        const int blocks = kCore.depth / format.block;
        const int32_t product = format.element == ElementKind::kE2m1 ? 144 : 784;
        const int32_t dense = (b_codes == 0x77 ? 1 : -1) * format.block * product;
        Operands operands = largest(kCore, format, b_codes);
        const auto sums = [&](const StepTag& tag) {
          operands.a.tag = tag;
          return array_sums(kCore, format, operands, array);
        };
        const size_t lanes = static_cast<size_t>(blocks) * kCore.rows * kCore.columns;
        EXPECT_EQ(sums(test::step_tag(StepKind::kDense, blocks, 0)),
                  std::vector<int32_t>(lanes, dense));
        EXPECT_EQ(sums(test::step_tag(StepKind::kSparse, 0, 2 * blocks)),
                  std::vector<int32_t>(2 * lanes, dense / 2));
      }
    }
  }
}

TEST(DotProductKinds, AStepWithoutBlocksWritesNothing) {
  constexpr CoreDescription kCore{3, 2, 64};
  std::mt19937 random(14);
  DotProductArray array(kCore);
  Operands operands(kCore, kMxfp4, test::random_a(kCore, random), test::random_b(kCore, random));
  for (const StepKind kind : test::kAllStepKinds) {
    operands.a.tag = test::step_tag(kind, 0, 0);
    EXPECT_TRUE(array_sums(kCore, kMxfp4, operands, array).empty());
  }
}

TEST(DotProductKinds, RefusesMoreBlocksThanTheDepthHolds) {
  constexpr CoreDescription kCore{3, 2, 64};
  DotProductArray array(kCore);
  BlockSums result(kCore);
  ASlice a(kCore.rows, kCore.depth);
  const BSlice b(kCore.columns, kCore.depth);
  a.tag = test::step_tag(StepKind::kDense, 2, 0);
  EXPECT_NO_THROW(array.multiply(kMxfp4, a, b, result));
  EXPECT_THROW(array.multiply(kHif4, a, b, result), InternalError);
}

}  // namespace
}  // namespace nibblecore::hw
