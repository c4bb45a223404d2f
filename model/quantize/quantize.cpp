// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/quantize.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "model/common/bits.hpp"
#include "model/common/parallel.hpp"
#include "model/quantize/magnitude_bits.hpp"
#include "model/quantize/quantize_rows.hpp"

namespace nibblecore {

PackedMatrix quantize(const MatrixView& input, const Preset& preset, int threads) {
  PackedMatrix packed = make_packed_matrix(preset.format, input.rows, input.k);
  const RowSource source = [&](int64_t row, float* values) { load_row(input, row, values); };
  quantize_rows(source, preset, tensor_scale(input, preset, threads), threads, packed);
  return packed;
}

Nvfp4TensorScale tensor_scale(const MatrixView& input, const Preset& preset, int threads) {
  if (!std::holds_alternative<Nvfp4Rule>(preset.rule)) {
    return {1.0F, 1.0F};
  }
  return nvfp4_tensor_scale(largest_magnitude(input, threads));
}

float largest_magnitude(const MatrixView& input, int threads) {
  uint32_t largest = 0;
  std::mutex largest_mutex;
  constexpr int64_t kRowsPerPiece = 16;
  parallel_for(input.rows, kRowsPerPiece, threads, [&](int64_t begin, int64_t end) {
    std::vector<float> values(static_cast<size_t>(input.k));
    uint32_t piece_largest = 0;
    for (int64_t row = begin; row < end; ++row) {
      load_row(input, row, values.data());
      piece_largest = std::max(piece_largest, largest_magnitude_bits(values.data(), values.size()));
    }
    const std::lock_guard<std::mutex> lock(largest_mutex);
    largest = std::max(largest, piece_largest);
  });
  return bits_float(largest);
}

}  // namespace nibblecore
