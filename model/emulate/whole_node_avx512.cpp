// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include "model/emulate/by_blocks.hpp"
#include "model/emulate/off_bounds.hpp"
#include "model/emulate/whole_node.hpp"

namespace nibblecore {
namespace {

constexpr int kLanes = 16;

struct Rows {
  template <int kBlocks>
  [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] static void run(const WholeNode& node) {
    const TileBlocks blocks = node.blocks;
    const NodeBounds& bounds = node.bounds;
    const int32_t* dots = node.dots;
    float* accumulators = node.accumulators;
    __m512 b_scales[kBlocks][2];
    for (int64_t block = 0; block < kBlocks; ++block) {
      b_scales[block][0] = _mm512_load_ps(blocks.b_scales + block * kStripColumns);
      b_scales[block][1] = _mm512_load_ps(blocks.b_scales + block * kStripColumns + kLanes);
    }
    uint64_t left = 0;
    for (int64_t row = 0; row < blocks.rows; ++row) {
      float* to = accumulators + row * kStripColumns;
      if (is_off_bounds<kLanes>(bounds, row, to)) {
        left |= uint64_t{1} << row;
        continue;
      }
      const float* a_scales = blocks.a_scales + row;
      const int32_t* from = dots + row * kStripColumns;
      add<kBlocks>(a_scales, from, b_scales, 0, to);
      add<kBlocks>(a_scales, from + kLanes, b_scales, 1, to + kLanes);
    }
    *node.rows_left = left;
  }

 private:
  template <int kBlocks>
  [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] static void add(
      const float* a_scales, const int32_t* dots, const __m512 (&b_scales)[kBlocks][2], int half,
      float* to) {
    __m512 sum{};
#pragma GCC unroll 4
    for (int64_t block = 0; block < kBlocks; ++block) {
      const __m512 scale =
          _mm512_mul_ps(_mm512_set1_ps(a_scales[block * kPanelRows]), b_scales[block][half]);
      const __m512 dot =
          _mm512_cvtepi32_ps(_mm512_load_si512(dots + block * static_cast<int64_t>(kTileOutputs)));
      sum = block == 0 ? _mm512_mul_ps(dot, scale) : _mm512_fmadd_ps(dot, scale, sum);
    }
    constexpr int kTowardZero = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
    _mm512_store_ps(to, _mm512_add_round_ps(sum, _mm512_load_ps(to), kTowardZero));
  }
};

}  // namespace

void add_whole_node_avx512(const WholeNode& node) { by_blocks<Rows>(node.blocks.blocks, node); }

}  // namespace nibblecore
