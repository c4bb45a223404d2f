// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/dequantize.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <emmintrin.h>

#include "model/common/parallel.hpp"
#include "model/emulate/dequantize_span.hpp"

namespace nibblecore {
namespace {

/// What kernels decode at once at least: a multiple of every block.
constexpr int64_t kBatch = 64;

/// Copies values past the caches. Whoever else reads them needs a fence between.
void stream_copy(const float* from, int64_t count, float* to) {
  constexpr int64_t kValues = 4;
  int64_t i = 0;
  for (; i < count && reinterpret_cast<uintptr_t>(to + i) % sizeof(__m128) != 0; ++i) {
    to[i] = from[i];
  }
  for (; i + kValues <= count; i += kValues) {
    _mm_stream_ps(to + i, _mm_loadu_ps(from + i));
  }
  for (; i < count; ++i) {
    to[i] = from[i];
  }
}

class Dequantizer {
 public:
  Dequantizer(const PackedMatrix& matrix, EmulatorTarget target)
      : matrix_(matrix),
        target_(target),
        streams_(matrix.rows * matrix.k >= kFirstStreamed),
        whole_(matrix.k % matrix.format.block == 0) {}

  void rows(int64_t begin, int64_t end, float* values) const {
    if (whole_) {
      blocks(begin, (end - begin) * matrix_.k, values + begin * matrix_.k);
    } else {
      for (int64_t row = begin; row < end; ++row) {
        blocks(row, matrix_.k, values + row * matrix_.k);
      }
    }
    _mm_sfence();
  }

 private:
  /// A result of this many values does not fit a core's caches.
  static constexpr int64_t kFirstStreamed = int64_t{1} << 20;

  using Buffer = std::array<float, 1024>;

  /// `count` values from the start of a row on.
  void blocks(int64_t row, int64_t count, float* values) const {
    const int64_t in_batches = count / kBatch * kBatch;
    DequantizeSpan span{matrix_.row_codes(row), matrix_.row_scales(row), in_batches, values};
    if (streams_) {
      stream(span);
    } else {
      decode(span);
    }
    if (count > in_batches) {
      rest(at(span, in_batches), count - in_batches);
    }
  }

  void stream(const DequantizeSpan& span) const {
    alignas(64) Buffer buffer;
    constexpr auto kPiece = static_cast<int64_t>(std::tuple_size<Buffer>::value);
    for (int64_t first = 0; first < span.count; first += kPiece) {
      DequantizeSpan piece = at(span, first);
      piece.count = std::min(kPiece, span.count - first);
      piece.values = buffer.data();
      decode(piece);
      stream_copy(buffer.data(), piece.count, span.values + first);
    }
  }

  /// Less than a batch, whose codes need not reach to its end.
  void rest(const DequantizeSpan& span, int64_t count) const {
    const int64_t blocks = (count + matrix_.format.block - 1) / matrix_.format.block;
    std::array<uint8_t, kBatch / 2> codes{};
    std::array<uint8_t, kBatch / 16> scales{};
    std::array<float, kBatch> values;
    std::copy_n(span.codes, blocks * matrix_.format.block / 2, codes.data());
    std::copy_n(span.scales, blocks * matrix_.format.scale_bytes(), scales.data());
    decode({codes.data(), scales.data(), kBatch, values.data()});
    std::copy_n(values.data(), count, span.values);
  }

  /// What follows in a span from value `first`, a multiple of a batch, on.
  DequantizeSpan at(const DequantizeSpan& span, int64_t first) const {
    return {span.codes + first / 2,
            span.scales + first / matrix_.format.block * matrix_.format.scale_bytes(), 0,
            span.values + first};
  }

  void decode(const DequantizeSpan& span) const {
    if (matrix_.format.scale == ScaleKind::kHif4) {
      dequantize_hif4_span(span, matrix_.tensor_scale, target_);
    } else {
      dequantize_e2m1_span(span, matrix_.format, matrix_.tensor_scale, target_);
    }
  }

  const PackedMatrix& matrix_;
  EmulatorTarget target_;
  bool streams_;
  bool whole_;  ///< rows are of whole blocks, so that the next row's lie behind them
};

}  // namespace

void emulate_dequantize(const PackedMatrix& matrix, float* values, int threads,
                        EmulatorTarget target) {
  constexpr int64_t kRowsPerPiece = 16;
  const Dequantizer dequantizer(matrix, target);
  parallel_for(matrix.rows, kRowsPerPiece, threads,
               [&](int64_t begin, int64_t end) { dequantizer.rows(begin, end, values); });
}

}  // namespace nibblecore
