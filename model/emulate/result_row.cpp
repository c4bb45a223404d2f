// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/result_row.hpp"

#include <cstddef>
#include <cstring>

#include <emmintrin.h>

#include "model/common/bits.hpp"

namespace nibblecore {

ResultRow result_row(const float* accumulators, float alpha, uint32_t nan) {
  ResultRow row;
  for (size_t i = 0; i < row.size(); ++i) {
    const float scaled = accumulators[i] * alpha;
    row[i] = scaled == scaled ? float_bits(scaled) : nan;
  }
  return row;
}

StoreKind store_kind_of(int64_t outputs) {
  // Beyond what a second-level cache keeps for whoever reads the result next.
  constexpr int64_t kCachedOutputs = int64_t{1} << 19;
  return outputs > kCachedOutputs ? StoreKind::kStreaming : StoreKind::kCached;
}

void store_row(const ResultRow& row, int64_t columns, StoreKind kind, uint32_t* to) {
  constexpr uintptr_t kCacheLine = 64;
  // Parts of a line would be written to memory one by one.
  const bool whole_lines =
      columns == kStripColumns && reinterpret_cast<uintptr_t>(to) % kCacheLine == 0;
  if (kind == StoreKind::kCached || !whole_lines) {
    std::memcpy(to, row.data(), static_cast<size_t>(columns) * sizeof row[0]);
    return;
  }
  for (size_t i = 0; i < row.size(); i += 4) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(row.data() + i)));
  }
}

void finish_stores() { _mm_sfence(); }

}  // namespace nibblecore
