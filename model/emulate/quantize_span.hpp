// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "model/common/checked.hpp"
#include "model/emulate/lane_dispatch.hpp"
#include "model/emulate/quantize_lanes.hpp"

namespace nibblecore {

/// Neighbouring values of one row, or of rows of whole blocks, and where their packed blocks go.
struct QuantizeSpan {
  const unsigned char* values;  ///< [count], of any alignment
  ValueType type;
  int64_t count;
  uint8_t* codes;   ///< [ceil(count / block) * block / 2]
  uint8_t* scales;  ///< [ceil(count / block) * scale bytes]
};

/// A kernel over spans, made of one over batches of `Width` blocks:
/// `batch.run<Width, type>(values, codes, scales)`, with kBlock values and kScaleBytes a block.
/// Values beyond the span's are zeros.
template <class Batch>
struct SpanQuantizer {
  const Batch& batch;

  template <int Width>
  [[gnu::always_inline]] void run(const QuantizeSpan& span) const {
    if (span.type == ValueType::kBf16) {
      run_all<Width, ValueType::kBf16>(span);
    } else {
      run_all<Width, ValueType::kF32>(span);
    }
  }

 private:
  template <int64_t kBytes>
  [[gnu::always_inline]] static void prefetch(const unsigned char* values) {
    constexpr int64_t kLine = 64;
    for (int64_t line = 0; line < kBytes; line += kLine) {
      __builtin_prefetch(values + line);
    }
  }

  template <int Width, ValueType kType>
  [[gnu::always_inline]] void run_all(const QuantizeSpan& span) const {
    constexpr int64_t kBatch = int64_t{Width} * Batch::kBlock;
    constexpr int64_t kValueBytes = kType == ValueType::kBf16 ? 2 : 4;
    constexpr int64_t kCodeBytes = kBatch / 2;
    constexpr int64_t kScaleBytes = int64_t{Width} * Batch::kScaleBytes;
    constexpr int64_t kAhead = ceil_divide(4096, kBatch * kValueBytes);
    const int64_t whole = span.count / kBatch;
    for (int64_t i = 0; i < whole; ++i) {
      const unsigned char* const values = span.values + i * kBatch * kValueBytes;
      // A batch is read twice, with much arithmetic behind: the processor by itself would not run
      // ahead.
      if (i + kAhead < whole) {
        prefetch<kBatch * kValueBytes>(values + kAhead * kBatch * kValueBytes);
      }
      batch.template run<Width, kType>(values, span.codes + i * kCodeBytes,
                                       span.scales + i * kScaleBytes);
    }
    const int64_t rest = span.count - whole * kBatch;
    if (rest == 0) {
      return;
    }
    std::array<unsigned char, kBatch * kValueBytes> values{};
    std::array<uint8_t, kCodeBytes> codes;
    std::array<uint8_t, kScaleBytes> scales;
    std::memcpy(values.data(), span.values + whole * kBatch * kValueBytes,
                static_cast<size_t>(rest * kValueBytes));
    batch.template run<Width, kType>(values.data(), codes.data(), scales.data());
    const int64_t blocks = ceil_divide(rest, Batch::kBlock);
    std::copy_n(codes.data(), blocks * Batch::kBlock / 2, span.codes + whole * kCodeBytes);
    std::copy_n(scales.data(), blocks * Batch::kScaleBytes, span.scales + whole * kScaleBytes);
  }
};

template <class Batch>
void quantize_span(const QuantizeSpan& span, const Batch& batch, EmulatorTarget target) {
  LaneDispatch<SpanQuantizer<Batch>>::run(target, span, SpanQuantizer<Batch>{batch});
}

}  // namespace nibblecore
