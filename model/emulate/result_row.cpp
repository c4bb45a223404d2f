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

void store_results(const uint32_t* results, int64_t count, StoreKind kind, uint32_t* to) {
  constexpr int64_t line = 16;  // numbers of a cache line; parts of one would be written one by one
  const auto before =
      static_cast<int64_t>((0 - reinterpret_cast<uintptr_t>(to) / sizeof *to) % line);
  const auto copy = [&](int64_t first, int64_t end) {
    std::memcpy(to + first, results + first, static_cast<size_t>(end - first) * sizeof *to);
  };
  if (kind == StoreKind::kCached || count < before + line) {
    copy(0, count);
    return;
  }
  copy(0, before);
  int64_t next = before;
  for (; next + line <= count; next += line) {
    for (int64_t i = next; i < next + line; i += 4) {
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(results + i)));
    }
  }
  copy(next, count);
}

void finish_stores() { _mm_sfence(); }

}  // namespace nibblecore
