// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "model/common/checked.hpp"
#include "model/formats/dequantize.hpp"
#include "model/quantize/quantize.hpp"
#include "model/trace/safetensors_reader.hpp"
#include "model/trace/safetensors_writer.hpp"
#include "tb/command/commands.hpp"
#include "tb/command/preset_options.hpp"
#include "tb/version.hpp"

namespace nibblecore::tb {
namespace {

struct QuantizeOptions {
  std::string input;
  std::string output;
  PresetOptions preset;
  bool dequantize = false;
  int threads = 0;
};

/// Owns what the tensors of the output file point to.
struct QuantizedTensor {
  PackedMatrix packed;
  std::vector<float> dequantized;
};

bool is_float_type(DType dtype) { return dtype == DType::kF32 || dtype == DType::kBf16; }

/// Types without floating-point values: there is nothing to quantize in them.
bool is_integer_type(DType dtype) {
  switch (dtype) {
    case DType::kBool:
    case DType::kU8:
    case DType::kI8:
    case DType::kI16:
    case DType::kU16:
    case DType::kI32:
    case DType::kU32:
    case DType::kI64:
    case DType::kU64:
      return true;
    default:
      return false;
  }
}

/// A tensor of any rank as rows along its last axis; a scalar is one row of one.
MatrixView rows_of(const Tensor& tensor, const std::string& place) {
  int64_t rows = 1;
  for (size_t axis = 0; axis + 1 < tensor.shape.size(); ++axis) {
    rows = checked_multiply(rows, tensor.shape[axis], place);
  }
  const int64_t k = tensor.shape.empty() ? 1 : tensor.shape.back();
  const ValueType type = tensor.dtype == DType::kF32 ? ValueType::kF32 : ValueType::kBf16;
  return {tensor.data, type, rows, k, k, 1};
}

Tensor bytes_tensor(const std::string& name, std::vector<int64_t> shape, int64_t last_axis,
                    const std::vector<uint8_t>& bytes) {
  if (shape.empty()) {
    shape.push_back(0);
  }
  shape.back() = last_axis;
  return {name, DType::kU8, shape, reinterpret_cast<const std::byte*>(bytes.data()),
          static_cast<int64_t>(bytes.size())};
}

Tensor floats_tensor(const std::string& name, const std::vector<int64_t>& shape,
                     const float* values, int64_t count) {
  return {name, DType::kF32, shape, reinterpret_cast<const std::byte*>(values), count * 4};
}

int run(const QuantizeOptions& options) {
  const Preset preset = options.preset.resolve();
  const SafetensorsFile file(options.input);
  std::vector<std::unique_ptr<QuantizedTensor>> results;
  std::vector<Tensor> tensors;
  for (const Tensor& tensor : file.tensors()) {
    const std::string place = options.input + ": tensor '" + tensor.name + "'";
    if (is_integer_type(tensor.dtype)) {
      fmt::print(stderr, "{}: {} holds no floating-point values, left out\n", place,
                 name_of(tensor.dtype));
      continue;
    }
    if (!is_float_type(tensor.dtype)) {
      throw InputError(place, "dtype " + std::string(name_of(tensor.dtype)) +
                                  " can't be quantized (F32 and BF16 can)");
    }
    results.push_back(std::make_unique<QuantizedTensor>());
    QuantizedTensor& result = *results.back();
    const MatrixView view = rows_of(tensor, place);
    result.packed = quantize(view, preset, options.threads);
    const PackedMatrix& packed = result.packed;
    tensors.push_back(
        bytes_tensor(tensor.name + ".codes", tensor.shape, packed.code_stride(), packed.codes));
    tensors.push_back(
        bytes_tensor(tensor.name + ".scales", tensor.shape, packed.scale_stride(), packed.scales));
    if (packed.format.name == kNvfp4.name) {
      tensors.push_back(floats_tensor(tensor.name + ".tensor_scale", {1}, &packed.tensor_scale, 1));
    }
    if (options.dequantize) {
      result.dequantized.resize(static_cast<size_t>(view.rows * view.k));
      dequantize(packed, result.dequantized.data());
      tensors.push_back(floats_tensor(tensor.name + ".dequantized", tensor.shape,
                                      result.dequantized.data(), view.rows * view.k));
    }
  }
  write_safetensors(options.output, tensors,
                    {{"format", std::string(preset.format.name)},
                     {"preset", preset.name},
                     {"layout", "low-first"},
                     {"nibblecore", kVersion}});
  return kExitEqual;
}

}  // namespace

void add_quantize_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<QuantizeOptions>();
  CLI::App* command = app.add_subcommand(
      "quantize", "Quantize every F32 and BF16 tensor of a safetensors file along its last axis");
  command->add_option("input", options->input, "safetensors file")->required();
  command->add_option("-o,--output", options->output, "safetensors file to write")->required();
  options->preset.add_to(*command);
  command->add_flag("--dequantize", options->dequantize, "also write T.dequantized in F32");
  command->add_option("--threads", options->threads, "0: one per processor")
      ->check(CLI::NonNegativeNumber);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace nibblecore::tb
