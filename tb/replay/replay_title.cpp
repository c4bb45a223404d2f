// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay_title.hpp"

#include <fmt/format.h>

namespace nibblecore::tb {
namespace {

std::string fill_title(const Fill& fill) {
  std::string text =
      fmt::format("SYNTHETIC VALUES ({}) where the trace has none:", fill_type_name(fill.type));
  for (const LayerTensor tensor : {LayerTensor::kX, LayerTensor::kW, LayerTensor::kDy}) {
    const TensorFill& values = fill.of(tensor);
    text += fmt::format("{}{} {}", tensor == LayerTensor::kX ? " " : ", ", name_of(tensor),
                        values.law.name);
    if (values.scale != 1) {
      text += fmt::format(" times {}", values.scale);
    }
    if (values.outlier_rate > 0) {
      text += fmt::format(" with {} of the channels times {}", values.outlier_rate,
                          values.outlier_factor);
    }
  }
  return text;
}

/// Preset and corrections, or the scheme.
std::string quantization_title(const ReplayOptions& options) {
  if (options.scheme) {
    return fmt::format("scheme {} ({})", options.scheme->name, options.scheme->description);
  }
  std::string text = fmt::format("{} (preset {})", options.preset.format.name, options.preset.name);
  const CorrectionOptions& corrections = options.corrections;
  if (corrections.macro != MacroChoice::kNone) {
    text += fmt::format(", macro-block scaling {} of {}", name_of(corrections.macro),
                        corrections.macro_block.length);
  }
  if (corrections.hadamard) {
    text += fmt::format(", Hadamard {}", corrections.hadamard->length);
  }
  if (corrections.weight_shape == BlockShape::kSquare) {
    text += ", square weight blocks";
  }
  if (corrections.noise > 0) {
    text += fmt::format(", noise {} on weights of the rollout", corrections.noise);
  }
  return text;
}

}  // namespace

std::string replay_title(const ReplayOptions& options) {
  const Machine& machine = options.machine.machine;
  std::string text = fmt::format(
      "{}, {}, machine {} ({} x {}x{}x{} a step), online {}, fidelity {}",
      quantization_title(options), name_of(options.accumulation), machine.name, machine.cores,
      machine.core.rows, machine.core.columns, machine.core.depth,
      options.online ? name_of(*options.online) : "where the core can", name_of(options.fidelity));
  const ResidualOptions& residual = options.residual;
  if (!options.scheme && residual.pattern != ResidualPattern::kNone) {
    text += fmt::format(", residual {} ({}, {}, scope {})", name_of(residual.pattern),
                        name_of(residual.build), name_of(residual.order), name_of(residual.scope));
  }
  if (options.corrections.fallback_alpha) {
    text += fmt::format(", outlier fallback with alpha {}", *options.corrections.fallback_alpha);
  }
  if (options.fill) {
    text += "\n" + fill_title(*options.fill);
  }
  if (options.scheme) {
    for (const std::string& note : options.scheme->notes) {
      text += "\nnote: " + note;
    }
  }
  for (const std::string& note : options.machine.notes) {
    text += "\nnote: " + note;
  }
  return text;
}

}  // namespace nibblecore::tb
