// SPDX-License-Identifier: Apache-2.0
#include "tb/quantize/ideal_scale_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "model/analysis/ideal_scale.hpp"
#include "model/common/checked.hpp"
#include "model/formats/matrix_view.hpp"
#include "model/trace/safetensors_reader.hpp"
#include "model/trace/safetensors_writer.hpp"
#include "tb/decompose/float_tensor.hpp"
#include "tb/quantize/output_tensors.hpp"
#include "tb/version.hpp"

namespace nibblecore::tb {
namespace {

/// One block in place; returns its scale.
float quantize_block_ideally(const BlockFormat& format, float* values, int count) {
  if (!std::all_of(values, values + count, [](float value) { return std::isfinite(value); })) {
    std::fill_n(values, count, std::numeric_limits<float>::quiet_NaN());
    return std::numeric_limits<float>::quiet_NaN();
  }
  if (std::all_of(values, values + count, [](float value) { return value == 0; })) {
    return 0;
  }
  IdealBlock ideal;
  quantize_ideal_scale(format.element, values, count, format.block, ideal);
  std::transform(ideal.values.begin(), ideal.values.begin() + count, values,
                 [](double value) { return static_cast<float>(value); });
  return static_cast<float>(ideal.scale);
}

void quantize_tensor(const Tensor& tensor, ValueType type, const BlockFormat& format,
                     const std::string& place, OutputTensors& output) {
  const MatrixView view = last_axis_rows(tensor, type, place);
  const int64_t rows = view.rows;
  const int64_t k = view.k;
  const int64_t blocks = ceil_divide(k, format.block);
  std::vector<float> values(static_cast<size_t>(rows * k));
  std::vector<float> scales;
  scales.reserve(static_cast<size_t>(rows * blocks));
  for (int64_t row = 0; row < rows; ++row) {
    float* row_values = values.data() + row * k;
    load_row(view, row, row_values);
    for (int64_t first = 0; first < k; first += format.block) {
      const auto count = static_cast<int>(std::min<int64_t>(format.block, k - first));
      scales.push_back(quantize_block_ideally(format, row_values + first, count));
    }
  }
  output.add(tensor.name + ".scales_f32", with_last_axis(tensor.shape, blocks), std::move(scales));
  output.add(tensor.name + ".dequantized", tensor.shape, std::move(values));
}

}  // namespace

void ideal_scale_file(const std::string& input, const std::string& output_path,
                      const BlockFormat& format) {
  const SafetensorsFile file(input);
  OutputTensors output;
  for (const Tensor& tensor : file.tensors()) {
    const std::string place = tensor_place(file, tensor);
    if (const std::optional<ValueType> type = float_type(tensor, place)) {
      quantize_tensor(tensor, *type, format, place, output);
    }
  }
  write_safetensors(
      output_path, output.tensors(),
      {{"format", std::string(format.name)}, {"preset", "ideal"}, {"nibblecore", kVersion}});
}

}  // namespace nibblecore::tb
