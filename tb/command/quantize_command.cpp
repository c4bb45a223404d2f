// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "model/common/error.hpp"
#include "tb/command/commands.hpp"
#include "tb/command/correction_arguments.hpp"
#include "tb/command/preset_options.hpp"
#include "tb/quantize/ideal_scale_file.hpp"
#include "tb/quantize/quantize_file.hpp"

namespace nibblecore::tb {
namespace {

struct QuantizeOptions {
  std::string input;
  std::string output;
  PresetOptions preset;
  CorrectionArguments corrections;
  std::string operand = "activation";
  std::string residual = "none";
  std::string layout = std::string(layouts().front().name);
  uint64_t seed = 1;
  bool dequantize = false;
  int threads = 0;
};

OperandRole role_of(const std::string& name) {
  if (name != "activation" && name != "weight") {
    throw InputError("--operand", "'" + name + "' is neither activation nor weight");
  }
  return name == "weight" ? OperandRole::kWeight : OperandRole::kActivation;
}

QuantizeFileOptions resolve(const QuantizeOptions& options) {
  QuantizeFileOptions resolved;
  resolved.input = options.input;
  resolved.output = options.output;
  resolved.preset = options.preset.resolve();
  resolved.layout = &layout(resolved.preset.format, options.layout);
  resolved.corrections = options.corrections.resolve();
  resolved.role = role_of(options.operand);
  resolved.residual = residual_with(resolved.corrections, options.residual);
  resolved.dequantize = options.dequantize ? Dequantize::kYes : Dequantize::kNo;
  resolved.seed = options.seed;
  resolved.threads = options.threads;
  return resolved;
}

int run(const QuantizeOptions& options) {
  if (options.preset.scale_rule == name_of(ScaleRule::kIdeal)) {
    if (!options.preset.rounding.empty() || options.corrections.is_given() ||
        options.residual != "none" || options.layout != layouts().front().name) {
      throw InputError("--scale-rule",
                       "'ideal' gives numbers, nearest even, without corrections "
                       "and layouts");
    }
    ideal_scale_file(options.input, options.output, block_format(options.preset.format));
    return kExitEqual;
  }
  quantize_file(resolve(options));
  return kExitEqual;
}

}  // namespace

void add_quantize_command(CommandLine& line) {
  auto options = std::make_shared<QuantizeOptions>();
  Arguments arguments = line.add_command(
      "quantize", "Quantize every F32 and BF16 tensor of a safetensors file along its last axis",
      [options] { return run(*options); });
  arguments.required("input", options->input, "safetensors file");
  arguments.required("-o,--output", options->output, "safetensors file to write");
  options->preset.add_to(arguments);
  arguments.option("--layout", options->layout, "how codes and scales are stored (list layouts)");
  options->corrections.add_to(arguments);
  arguments.option("--operand", options->operand,
                   "what the tensors are to hybrid macro-block scaling: activation or weight");
  arguments.option("--residual", options->residual,
                   "also write the quantized residual: 2:4, dense, channel-50 or block-32x64-50");
  arguments.option("--seed", options->seed, "of random numbers: stochastic rounding, signs, noise");
  arguments.flag("--dequantize", options->dequantize, "also write T.dequantized in F32");
  arguments.threads(options->threads);
}

}  // namespace nibblecore::tb
