// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/result_row.hpp"

#include <cstddef>
#include <cstring>

#include <emmintrin.h>

#include "model/emulate/lane_dispatch.hpp"
#include "model/emulate/lane_vectors.hpp"

namespace nibblecore {
namespace {

struct Finish {
  const AccumulatorRow& row;
  uint32_t* results;
};

struct FinishRow {
  template <int Width>
  [[gnu::always_inline]] void run(const Finish& finish) const {
    using Lanes = LaneVectors<Width>;
    using Word = typename Lanes::Word;
    const AccumulatorRow& row = finish.row;
    const Word nan = Word{} + row.nan;
    uint32_t* to = finish.results;
    for (const float* from = row.first; to != finish.results + row.tiles * kStripColumns;
         from += row.stride) {
      for (std::ptrdiff_t i = 0; i < kStripColumns; i += Width, to += Width) {
        typename Lanes::Float scaled;
        Lanes::load(from + i, scaled);
        scaled *= row.alpha;
        const auto is_number = reinterpret_cast<Word>(scaled == scaled);
        const Word bits = (reinterpret_cast<Word>(scaled) & is_number) | (nan & ~is_number);
        Lanes::store(bits, to);
      }
    }
  }
};

}  // namespace

void finish_results(const AccumulatorRow& row, EmulatorTarget target, uint32_t* results) {
  LaneDispatch<FinishRow>::run(target, Finish{row, results});
}

StoreKind store_kind_of(int64_t outputs) {
  // Beyond what a second-level cache keeps for whoever reads the result next.
  constexpr int64_t kCachedOutputs = int64_t{1} << 19;
  return outputs > kCachedOutputs ? StoreKind::kStreaming : StoreKind::kCached;
}

void store_results(const uint32_t* results, int64_t count, StoreKind kind, uint32_t* to) {
  constexpr int64_t piece = 4;  // numbers of a streaming store
  const auto copy = [&](int64_t first, int64_t end) {
    std::memcpy(to + first, results + first, static_cast<size_t>(end - first) * sizeof *to);
  };
  const auto before =
      static_cast<int64_t>((0 - reinterpret_cast<uintptr_t>(to) / sizeof *to) % piece);
  if (kind == StoreKind::kCached || count < before + piece) {
    copy(0, count);
    return;
  }
  // Also the parts of lines at both ends: a copy would wait for what memory holds of them.
  copy(0, before);
  int64_t next = before;
  for (; next + piece <= count; next += piece) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + next),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(results + next)));
  }
  copy(next, count);
}

void finish_stores() { _mm_sfence(); }

}  // namespace nibblecore
