// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/exact_sums.hpp"

#include "model/emulate/block_sums.hpp"
#include "model/emulate/by_blocks.hpp"
#include "model/emulate/lane_dispatch.hpp"
#include "model/emulate/odd_sum.hpp"

namespace nibblecore {
namespace {

struct Addition {
  const TileBlocks& blocks;
  const int32_t* dots;
  double* sums;
};

template <int Width>
struct AddRows {
  using Vectors = LaneVectors<Width>;

  template <int kBlocks>
  [[gnu::always_inline]] static void run(const Addition& addition) {
    alignas(64) WideScales<kBlocks> b_scales;
    widen_scales<kBlocks>(addition.blocks.b_scales, b_scales);
    const float* a_scales = addition.blocks.a_scales;
    const int32_t* dots = addition.dots;
    double* to = addition.sums;
    const int rows = addition.blocks.rows;
    for (int64_t row = 0; row < rows; ++row) {
      typename Vectors::Double scales[kBlocks];
      spread_scales<Width, kBlocks>(a_scales + row, scales);
      for (int64_t column = 0; column < kStripColumns; column += Vectors::kHalf) {
        const int64_t index = row * kStripColumns + column;
        typename Vectors::Double sums;
        Vectors::load(to + index, sums);
        add_blocks<Width, kBlocks>(dots + index, scales, b_scales, column, sums);
        Vectors::store(sums, to + index);
      }
    }
  }
};

struct AddKernel {
  template <int Width>
  [[gnu::always_inline]] static void run(const Addition& addition) {
    by_blocks<AddRows<Width>>(addition.blocks.blocks, addition);
  }
};

struct Rounding {
  const double* sums;
  const float* starts;
  float* results;
};

struct RoundKernel {
  template <int Width>
  [[gnu::always_inline]] static void run(const Rounding& rounding) {
    using Vectors = LaneVectors<Width>;
    for (int64_t column = 0; column < kStripColumns; column += Vectors::kHalf) {
      typename Vectors::Double sums;
      typename Vectors::Double starts;
      typename Vectors::Double odd;
      Vectors::load(rounding.sums + column, sums);
      Vectors::load_wide(rounding.starts + column, starts);
      odd_sum<Width>(sums, starts, odd);
      Vectors::store_rounded(odd, rounding.results + column);
    }
  }
};

}  // namespace

void add_to_exact_sums(const TileBlocks& blocks, const int32_t* dots, EmulatorTarget target,
                       double* sums) {
  LaneDispatch<AddKernel>::run(target, Addition{blocks, dots, sums});
}

void round_exact_sums(const double* sums, const float* starts, EmulatorTarget target,
                      float* results) {
  LaneDispatch<RoundKernel>::run(target, Rounding{sums, starts, results});
}

}  // namespace nibblecore
