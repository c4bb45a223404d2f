// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/fused_node.hpp"

#include <cmath>

#include "model/common/error.hpp"
#include "model/emulate/block_sums.hpp"
#include "model/emulate/by_blocks.hpp"
#include "model/emulate/odd_sum.hpp"
#include "model/emulate/quantize_dispatch.hpp"
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
    for (int row = 0; row < blocks.rows; ++row) {
      for (int column = 0; column < kStripColumns; column += Width) {
        const int64_t index = int64_t{row} * kStripColumns + column;
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
    for (int block = 0; block < kBlocks; ++block) {
      typename Vectors::Int integers;
      Float scales;
      Vectors::load(dots + block * static_cast<int64_t>(kTileOutputs), integers);
      Vectors::load(b_scales + block * kStripColumns, scales);
      scales *= a_scales[block * kPanelRows];
      sum += __builtin_convertvector(integers, Float) * scales;
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
    for (int row = 0; row < blocks.rows; ++row) {
      Double a_scales[kBlocks];
      spread_scales<Width, kBlocks>(blocks.a_scales + row, a_scales);
      for (int column = 0; column < kStripColumns; column += Vectors::kHalf) {
        const int64_t index = int64_t{row} * kStripColumns + column;
        Double added{};
        Double accumulator;
        Double sum;
        add_blocks<Width, kBlocks>(dots + index, a_scales, b_scales, column, added);
        Vectors::load_wide(accumulators + index, accumulator);
        odd_sum<Width>(accumulator, added, sum);
        Vectors::store_rounded(sum, accumulators + index);
      }
    }
  }
};

template <template <int> class Rows>
struct Kernel {
  template <int Width>
  [[gnu::always_inline]] void run(const FusedNode& node) const {
    by_blocks<Rows<Width>>(node.blocks.blocks, node);
  }
};

float add_wide(const FusedNode& node, int row, int column) {
  const int64_t index = int64_t{row} * kStripColumns + column;
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
      return QuantizeDispatch<Kernel<Fp32Rows>, FusedNode>::run(target, {}, node);
    case FusedSum::kFp64:
      return QuantizeDispatch<Kernel<Fp64Rows>, FusedNode>::run(target, {}, node);
    case FusedSum::kWide:
      for (int row = 0; row < node.blocks.rows; ++row) {
        for (int column = 0; column < kStripColumns; ++column) {
          float& accumulator = node.accumulators[row * kStripColumns + column];
          accumulator = add_wide(node, row, column);
        }
      }
      return;
  }
  throw InternalError("unknown kind of sum");
}

}  // namespace nibblecore
