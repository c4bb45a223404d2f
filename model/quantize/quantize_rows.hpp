// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "model/formats/packed_matrix.hpp"
#include "model/formats/preset.hpp"
#include "model/quantize/nvfp4.hpp"
#include "model/quantize/quantize_choices.hpp"

namespace nibblecore {

/// Writes the FP32 values of one row; called from several threads, each row once.
using RowSource = std::function<void(int64_t row, float* values)>;

/// How rows are quantized.
struct RowQuantization {
  const Preset& preset;
  Nvfp4TensorScale tensor_scale;  ///< already known; {1, 1} for the formats that have none
  BlockShape shape = BlockShape::kRow;
  std::optional<RandomStream> random = std::nullopt;
  ElementIndex elements{};  ///< whose random bits an element gets; unused without a stream
};

/// Where quantized rows go.
struct QuantizedRows {
  PackedMatrix& packed;  ///< in the preset's format, every code and scale 0
  /// [rows, k] values as the preset's own library decodes them (BlockCodes), or null.
  float* decoded = nullptr;
};

/// Fills `to` with the rows that `source` gives, quantized as quantize() does, on up to `threads`
/// threads (0: one per processor). A thread holds one row, with square blocks those of a tile.
/// InputError as require_choices.
void quantize_rows(const RowSource& source, const RowQuantization& quantization, int threads,
                   const QuantizedRows& to);

/// The same with no choices beyond the preset.
void quantize_rows(const RowSource& source, const Preset& preset,
                   const Nvfp4TensorScale& tensor_scale, int threads, const QuantizedRows& to);

}  // namespace nibblecore
