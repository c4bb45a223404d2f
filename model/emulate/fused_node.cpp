// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/fused_node.hpp"

#include <cmath>

#include "model/common/error.hpp"
#include "model/emulate/block_sums.hpp"
#include "model/emulate/by_blocks.hpp"
#include "model/emulate/lane_dispatch.hpp"
#include "model/emulate/odd_sum.hpp"
#include "model/emulate/off_bounds.hpp"
#include "model/emulate/wide_sum.hpp"

namespace nibblecore {
namespace {

/// The sum of the blocks is an FP32 number; adding it to the accumulator is the one rounding.
template <int Width>
struct Fp32Rows {
  using Vectors = LaneVectors<Width>;
  using Float = typename Vectors::Float;

  template <int kBlocks>
  [[gnu::always_inline]] static void run(const FusedNode& node) {
    const TileBlocks blocks = node.blocks;
    const int32_t* dots = node.dots;
    float* accumulators = node.accumulators;
    for (int64_t row = 0; row < blocks.rows; ++row) {
      for (int64_t column = 0; column < kStripColumns; column += Width) {
        const int64_t index = row * kStripColumns + column;
        add<kBlocks>(dots + index, blocks.a_scales + row, blocks.b_scales + column,
                     accumulators + index);
      }
    }
  }

 private:
  template <int kBlocks>
  [[gnu::always_inline]] static void add(const int32_t* dots, const float* a_scales,
                                         const float* b_scales, float* accumulators) {
    Float sum{};
    for (int64_t block = 0; block < kBlocks; ++block) {
      typename Vectors::Int integers;
      Float scales;
      Vectors::load(dots + block * static_cast<int64_t>(kTileOutputs), integers);
      Vectors::load(b_scales + block * kStripColumns, scales);
      scales *= a_scales[block * kPanelRows];
      Vectors::add_product(__builtin_convertvector(integers, Float), scales, sum);
    }
    Float accumulator;
    Vectors::load(accumulators, accumulator);
    Vectors::store(accumulator + sum, accumulators);
  }
};

/// The sum of the blocks is an FP64 number.
template <int Width>
struct Fp64Rows {
  using Vectors = LaneVectors<Width>;
  using Double = typename Vectors::Double;

  template <int kBlocks>
  [[gnu::always_inline]] static void run(const FusedNode& node) {
    alignas(64) WideScales<kBlocks> b_scales;
    widen_scales<kBlocks>(node.blocks.b_scales, b_scales);
    const TileBlocks blocks = node.blocks;
    const int32_t* dots = node.dots;
    float* accumulators = node.accumulators;
    for (int64_t row = 0; row < blocks.rows; ++row) {
      Double a_scales[kBlocks];
      spread_scales<Width, kBlocks>(blocks.a_scales + row, a_scales);
      float* to = accumulators + row * kStripColumns;
      const int32_t* from = dots + row * kStripColumns;
      if (node.bounds != nullptr && !is_off_bounds<Width>(*node.bounds, row, to)) {
        for (int64_t column = 0; column < kStripColumns; column += Vectors::kHalf) {
          add<kBlocks, false>(from + column, a_scales, b_scales, column, to + column);
        }
      } else {
        for (int64_t column = 0; column < kStripColumns; column += Vectors::kHalf) {
          add<kBlocks, true>(from + column, a_scales, b_scales, column, to + column);
        }
      }
    }
  }

 private:
  /// The conversion to FP32 is the one rounding, of a sum that is exact or rounded to odd.
  template <int kBlocks, bool kToOdd>
  [[gnu::always_inline]] static void add(const int32_t* dots, const Double (&a_scales)[kBlocks],
                                         const WideScales<kBlocks>& b_scales, int64_t column,
                                         float* accumulators) {
    Double accumulator;
    Vectors::load_wide(accumulators, accumulator);
    Double sum{};
    if constexpr (kToOdd) {
      add_blocks<Width, kBlocks>(dots, a_scales, b_scales, column, sum);
      odd_sum<Width>(accumulator, sum, sum);
    } else {
      sum = accumulator;
      add_blocks<Width, kBlocks>(dots, a_scales, b_scales, column, sum);
    }
    Vectors::store_rounded(sum, accumulators);
  }
};

template <template <int> class Rows>
struct Kernel {
  template <int Width>
  [[gnu::always_inline]] static void run(const FusedNode& node) {
    by_blocks<Rows<Width>>(node.blocks.blocks, node);
  }
};

float add_wide(const FusedNode& node, int64_t row, int64_t column) {
  const int64_t index = row * kStripColumns + column;
  const float accumulator = node.accumulators[index];
  WideSum sum;
  for (int64_t block = 0; block < node.blocks.blocks; ++block) {
    const double scale = double{node.blocks.a_scales[block * kPanelRows + row]} *
                         double{node.blocks.b_scales[block * kStripColumns + column]};
    if (std::isnan(scale)) {
      return static_cast<float>(scale);
    }
    sum.add(node.dots[block * static_cast<int64_t>(kTileOutputs) + index], scale);
  }
  if (!std::isfinite(accumulator)) {
    return accumulator;
  }
  sum.add(accumulator);
  return static_cast<float>(sum.rounded_to_odd());
}

}  // namespace

void add_fused_node(const FusedNode& node, FusedSum sum, EmulatorTarget target) {
  switch (sum) {
    case FusedSum::kFp32:
      return LaneDispatch<Kernel<Fp32Rows>>::run(target, node);
    case FusedSum::kFp64:
      return LaneDispatch<Kernel<Fp64Rows>>::run(target, node);
    case FusedSum::kWide:
      for (int64_t row = 0; row < node.blocks.rows; ++row) {
        for (int64_t column = 0; column < kStripColumns; ++column) {
          float& accumulator = node.accumulators[row * kStripColumns + column];
          accumulator = add_wide(node, row, column);
        }
      }
      return;
  }
  throw InternalError("unknown kind of sum");
}

}  // namespace nibblecore
