// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/quantize.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "model/common/bits.hpp"
#include "model/common/parallel.hpp"
#include "model/quantize/magnitude_bits.hpp"

namespace nibblecore {

PackedMatrix quantize(const MatrixView& input, const Preset& preset, int threads) {
  return quantize(input, preset, QuantizeChoices{}, threads);
}

PackedMatrix quantize(const MatrixView& input, const Preset& preset, int threads, float* decoded) {
  return quantize(input, preset, QuantizeChoices{}, threads, decoded);
}

PackedMatrix quantize(const MatrixView& input, const Preset& preset, const QuantizeChoices& choices,
                      int threads, float* decoded) {
  PackedMatrix packed = make_packed_matrix(preset.format, input.rows, input.k);
  const RowQuantization quantization{preset, tensor_scale(input, preset, threads), choices.shape,
                                     choices.random, element_index(input, choices.first_element)};
  quantize_rows(view_rows(input), quantization, threads, {packed, decoded});
  return packed;
}

Nvfp4TensorScale tensor_scale(const MatrixView& input, const Preset& preset, int threads) {
  return tensor_scale(view_rows(input), input.rows, input.k, preset, threads);
}

Nvfp4TensorScale tensor_scale(const RowSource& source, int64_t rows, int64_t k,
                              const Preset& preset, int threads) {
  if (const auto* mxfp4 = std::get_if<Mxfp4Rule>(&preset.rule)) {
    return {1.0F, scale_factor(*mxfp4)};
  }
  const auto* nvfp4 = std::get_if<Nvfp4Rule>(&preset.rule);
  if (nvfp4 == nullptr || nvfp4->tensor == Nvfp4TensorRule::kNone) {
    return {1.0F, 1.0F};
  }
  return nvfp4_tensor_scale(largest_magnitude(source, rows, k, threads), *nvfp4);
}

float largest_magnitude(const MatrixView& input, int threads) {
  return largest_magnitude(view_rows(input), input.rows, input.k, threads);
}

float largest_magnitude(const RowSource& source, int64_t rows, int64_t k, int threads) {
  uint32_t largest = 0;
  std::mutex largest_mutex;
  constexpr int64_t kRowsPerPiece = 16;
  parallel_for(rows, kRowsPerPiece, threads, [&](int64_t begin, int64_t end) {
    std::vector<float> values(static_cast<size_t>(k));
    uint32_t piece_largest = 0;
    for (int64_t row = begin; row < end; ++row) {
      source(row, values.data());
      piece_largest = std::max(piece_largest, largest_magnitude_bits(values.data(), values.size()));
    }
    const std::lock_guard<std::mutex> lock(largest_mutex);
    largest = std::max(largest, piece_largest);
  });
  return bits_float(largest);
}

RowSource view_rows(const MatrixView& input) {
  return [input](int64_t row, float* values) { load_row(input, row, values); };
}

}  // namespace nibblecore
