// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "model/formats/preset.hpp"
#include "model/formats/residual.hpp"
#include "model/layout/layout.hpp"
#include "tb/replay/correction_options.hpp"

namespace nibblecore::tb {

/// Whether the values that codes and scales stand for are written, too.
enum class Dequantize { kNo, kYes };

struct QuantizeFileOptions {
  std::string input;
  std::string output;
  Preset preset;
  const Layout* layout = nullptr;
  CorrectionOptions corrections;  ///< each tensor counts as an operand of that role
  OperandRole role = OperandRole::kActivation;
  ResidualPattern residual = ResidualPattern::kNone;
  Dequantize dequantize = Dequantize::kNo;
  uint64_t seed = 1;
  int threads = 0;
};

/// Quantizes every F32 and BF16 tensor T of a safetensors file along its last axis: T.codes and
/// T.scales (or what the layout has), T.tensor_scale for NVFP4 and where it is not 1,
/// T.macro_factors F32 [.., macro blocks], T.residual.codes and T.residual.scales, T.dequantized
/// F32 as the preset's own library decodes codes, times macro factors, plus alpha times the decoded
/// residual; in the domain of the Hadamard transform. InputError for whatever is wrong; the output
/// appears whole or not at all.
void quantize_file(const QuantizeFileOptions& options);

}  // namespace nibblecore::tb
