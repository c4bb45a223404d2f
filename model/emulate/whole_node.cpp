// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/whole_node.hpp"

#include <cfloat>

#include "model/emulate/block_sums.hpp"
#include "model/emulate/by_blocks.hpp"
#include "model/emulate/lane_dispatch.hpp"
#include "model/emulate/off_bounds.hpp"
#include "model/emulate/tell_losses.hpp"
#include "model/emulate/truncating_rule.hpp"

namespace nibblecore {
namespace {

static_assert(FLT_EVAL_METHOD == 0, "every operation must round to its own type");

/// Sums in FP32: with Knuth's TwoSum, whose error tells where rounding to nearest went away from
/// zero. The bounds keep every result below 2^127.
template <int Width, bool kTells>
struct Fp32Rows {
  using Vectors = LaneVectors<Width>;
  using Int = typename Vectors::Int;
  using Float = typename Vectors::Float;

  template <int kBlocks>
  [[gnu::always_inline]] static void run(const WholeNode& whole) {
    const WholeNode node = whole;
    const TileBlocks blocks = node.blocks;
    uint64_t left = 0;
    LossRow losses;
    for (int64_t row = 0; row < blocks.rows; ++row) {
      if (is_off_bounds<Width>(node.bounds, row, node.accumulators + row * kStripColumns)) {
        left |= uint64_t{1} << row;
        continue;
      }
      for (int64_t column = 0; column < kStripColumns; column += Width) {
        const int64_t index = row * kStripColumns + column;
        Float dots;
        sum_blocks<kBlocks>(node.dots + index, blocks.a_scales + row, blocks.b_scales + column,
                            dots);
        add(dots, node.accumulators + index, losses.data() + column);
      }
      if constexpr (kTells) {
        tell_losses<Width>(losses, node.truncation + row * kStripColumns);
      }
    }
    *node.rows_left = left;
  }

 private:
  template <int kBlocks>
  [[gnu::always_inline]] static void sum_blocks(const int32_t* dots, const float* a_scales,
                                                const float* b_scales, Float& sum) {
    for (int64_t block = 0; block < kBlocks; ++block) {
      Int integers;
      Float scales;
      Vectors::load(dots + block * static_cast<int64_t>(kTileOutputs), integers);
      Vectors::load(b_scales + block * kStripColumns, scales);
      scales *= a_scales[block * kPanelRows];
      const Float dot = __builtin_convertvector(integers, Float);
      if (block == 0) {
        sum = dot * scales;
      } else {
        Vectors::add_product(dot, scales, sum);
      }
    }
  }

  [[gnu::always_inline]] static void add(const Float& dots, float* accumulators, int32_t* losses) {
    Float accumulator;
    Vectors::load(accumulators, accumulator);
    const Float sum = dots + accumulator;
    const Float added = sum - dots;
    const Float error = (dots - (sum - added)) + (accumulator - added);
    const Int sign = reinterpret_cast<Int>(sum) & INT32_MIN;
    const Float outward = reinterpret_cast<Float>(reinterpret_cast<Int>(error) ^ sign);
    // Where the error points back to zero the next smaller magnitude is the truncated sum.
    const Int none{};
    const Int away = outward < 0.0F ? none - 1 : none;
    const Float result = reinterpret_cast<Float>(reinterpret_cast<Int>(sum) + away);
    Vectors::store(result, accumulators);
    if constexpr (kTells) {
      // Comparisons of integers, by the sign of a difference.
      const Int magnitude = reinterpret_cast<Int>(result) & INT32_MAX;
      const Int finite = (magnitude - 0x7F800000) >> 31;
      const Int nan = (0x7F800000 - magnitude) >> 31;
      const Int lost = (none - (reinterpret_cast<Int>(error) & INT32_MAX)) >> 31;
      Vectors::store((lost & finite & kResultLoss) | (nan & kUntold), losses);
    }
  }
};

/// Sums in FP64, cut to 24 bits; they are multiples of 2^-149, which is to say that no bit of a
/// subnormal result lies among those that are cut off.
template <int Width, bool kTells>
struct Fp64Rows {
  using Vectors = LaneVectors<Width>;
  using Double = typename Vectors::Double;
  using Long = typename Vectors::Long;

  template <int kBlocks>
  [[gnu::always_inline]] static void run(const WholeNode& whole) {
    const WholeNode node = whole;
    const TileBlocks blocks = node.blocks;
    alignas(64) WideScales<kBlocks> b_scales;
    widen_scales<kBlocks>(blocks.b_scales, b_scales);
    uint64_t left = 0;
    LossRow losses;
    for (int64_t row = 0; row < blocks.rows; ++row) {
      if (is_off_bounds<Width>(node.bounds, row, node.accumulators + row * kStripColumns)) {
        left |= uint64_t{1} << row;
        continue;
      }
      Double a_scales[kBlocks];
      spread_scales<Width, kBlocks>(blocks.a_scales + row, a_scales);
      for (int64_t column = 0; column < kStripColumns; column += Vectors::kHalf) {
        const int64_t index = row * kStripColumns + column;
        Double sum;
        Vectors::load_wide(node.accumulators + index, sum);
        add_blocks<Width, kBlocks>(node.dots + index, a_scales, b_scales, column, sum);
        cut(sum, node.accumulators + index, losses.data() + column);
      }
      if constexpr (kTells) {
        tell_losses<Width>(losses, node.truncation + row * kStripColumns);
      }
    }
    *node.rows_left = left;
  }

 private:
  [[gnu::always_inline]] static void cut(const Double& sum, float* accumulators, int32_t* losses) {
    const Long bits = reinterpret_cast<Long>(sum);
    const Long below = bits & 0x1FFFFFFF;
    Vectors::store_rounded(reinterpret_cast<Double>(bits ^ below), accumulators);
    if constexpr (kTells) {
      const Long magnitude = bits & INT64_MAX;
      const Long nan = (0x7FF0000000000000 - magnitude) >> 63;
      const Long lost = (0 - below) >> 63;
      const Long told = (lost & ~nan & kResultLoss) | (nan & kUntold);
      Vectors::store(__builtin_convertvector(told, typename Vectors::HalfInt), losses);
    }
  }
};

template <template <int, bool> class Rows, bool kTells>
struct Kernel {
  template <int Width>
  [[gnu::always_inline]] static void run(const WholeNode& node) {
    by_blocks<Rows<Width, kTells>>(node.blocks.blocks, node);
  }
};

template <template <int, bool> class Rows>
void dispatch(const WholeNode& node, EmulatorTarget target) {
  if (node.truncation == nullptr) {
    LaneDispatch<Kernel<Rows, false>>::run(target, node);
  } else {
    LaneDispatch<Kernel<Rows, true>>::run(target, node);
  }
}

}  // namespace

void add_whole_node(const WholeNode& node, WholeSum sum, EmulatorTarget target) {
  if (sum == WholeSum::kFp64) {
    dispatch<Fp64Rows>(node, target);
  } else if (node.truncation == nullptr &&
             (target == EmulatorTarget::kAvx512Vnni || target == EmulatorTarget::kAmx)) {
    add_whole_node_avx512(node);
  } else {
    dispatch<Fp32Rows>(node, target);
  }
}

}  // namespace nibblecore
