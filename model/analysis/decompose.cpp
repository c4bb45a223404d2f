// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/decompose.hpp"

#include <algorithm>
#include <vector>

#include "model/analysis/block_errors.hpp"
#include "model/analysis/strips.hpp"
#include "model/quantize/quantize.hpp"
#include "model/quantize/quantize_rows.hpp"

namespace nibblecore {
namespace {

/// Rows as a preset quantizes them.
struct QuantizedStrip {
  PackedMatrix packed;
  std::vector<float> decoded;  ///< [rows, k]
};

QuantizedStrip quantize_strip(const Strip& strip, const float* values,
                              const RowQuantization& quantization) {
  QuantizedStrip result{make_packed_matrix(quantization.preset.format, strip.rows, strip.k),
                        std::vector<float>(static_cast<size_t>(strip.rows * strip.k))};
  const RowSource source = [&](int64_t row, float* to) {
    std::copy_n(values + row * strip.k, strip.k, to);
  };
  quantize_rows(source, quantization, 1, {result.packed, result.decoded.data()});
  return result;
}

void decompose_strip(const Strip& strip, const float* values, const RowQuantization& quantization,
                     ScaleRatios& ratios, Decomposition& sum) {
  const QuantizedStrip quantized = quantize_strip(strip, values, quantization);
  const BlockFormat& format = quantization.preset.format;
  for (int64_t row = 0; row < strip.rows; ++row) {
    for (int64_t block = 0; block < quantized.packed.blocks(); ++block) {
      const int64_t first = block * format.block;
      const int64_t offset = row * strip.k + first;
      const auto count = static_cast<int>(std::min<int64_t>(format.block, strip.k - first));
      add_block_errors(format, {values + offset, quantized.decoded.data() + offset, count},
                       block_scale(quantized.packed, row, block), ratios, sum);
    }
  }
}

/// Where the elements of a strip that lies within one slice are in the tensor.
ElementIndex elements_of(const BlockedRows& tensor, const Strip& strip) {
  const int64_t row_of_slice = strip.first_row % tensor.slice.rows;
  return element_index(tensor.slice, strip.first_row / tensor.slice.rows * tensor.slice_stride +
                                         row_of_slice * tensor.slice.row_stride +
                                         strip.first_k * tensor.slice.k_stride);
}

}  // namespace

Decomposition decompose(const BlockedRows& tensor, const Preset& preset, int threads,
                        const std::optional<RandomStream>& random) {
  if (tensor.rows() == 0 || tensor.k() == 0) {
    return {};
  }
  RowQuantization common{preset, tensor_scale(tensor.all, preset, threads)};
  common.random = random;
  return sum_over_strips<Decomposition>(
      tensor, threads, [&](const Strip& strip, const float* values, Decomposition& sum) {
        ScaleRatios ratios;
        for (int64_t row = 0; row < strip.rows;) {
          Strip part = strip;
          part.first_row += row;
          part.rows =
              std::min(strip.rows - row, tensor.slice.rows - part.first_row % tensor.slice.rows);
          RowQuantization quantization = common;
          quantization.elements = elements_of(tensor, part);
          decompose_strip(part, values + row * strip.k, quantization, ratios, sum);
          row += part.rows;
        }
        ratios.add_to(sum);
      });
}

Decomposition decompose(const MatrixView& matrix, const Preset& preset, int threads,
                        const std::optional<RandomStream>& random) {
  return decompose(blocked_rows(matrix), preset, threads, random);
}

}  // namespace nibblecore
