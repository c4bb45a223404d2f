// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "model/common/error.hpp"
#include "tb/command/commands.hpp"
#include "tb/command/output_files.hpp"
#include "tb/sweep/cell_text.hpp"
#include "tb/sweep/name_list.hpp"
#include "tb/sweep/scale_sweep_run.hpp"
#include "tb/sweep/scale_sweep_table.hpp"
#include "tb/sweep/sweep_files.hpp"
#include "tb/sweep/sweep_table.hpp"
#include "tb/sweep/tensor_sweep.hpp"
#include "tb/sweep/trace_sweep.hpp"

namespace nibblecore::tb {
namespace {

struct CommandOptions {
  std::string input;
  std::string formats;
  std::string presets;
  std::string corrections;
  std::string residuals;
  std::string schemes;
  std::string scale_bits;
  std::string residual_scope;
  std::string machine;
  std::string filter;
  std::string csv;
  std::string json;
  uint64_t seed = 1;
  int threads = 0;
};

SweepOptions resolve(const CommandOptions& options, bool is_trace) {
  SweepOptions resolved;
  resolved.input = options.input;
  resolved.filter = options.filter;
  resolved.axes.formats = name_list(options.formats, "--formats");
  resolved.axes.presets = name_list(options.presets, "--presets");
  resolved.axes.corrections = name_list(options.corrections, "--corrections");
  resolved.axes.residuals = name_list(options.residuals, "--residuals");
  resolved.axes.schemes = name_list(options.schemes, "--schemes");
  if (!is_trace && !(options.machine.empty() && options.residual_scope.empty())) {
    throw InputError(options.machine.empty() ? "--residual-scope" : "--machine",
                     "is about the GEMMs of a trace; '" + options.input + "' is no folder");
  }
  resolved.machine =
      options.machine.empty() ? built_in_machines().front() : load_machine(options.machine);
  if (!options.residual_scope.empty()) {
    resolved.residual_scope = residual_scope(options.residual_scope);
  }
  resolved.seed = options.seed;
  resolved.threads = options.threads;
  return resolved;
}

/// Only one of these goes with --scale-bits.
void require_scale_sweep(const CommandOptions& options) {
  if (!(options.presets.empty() && options.corrections.empty() && options.residuals.empty() &&
        options.schemes.empty() && options.machine.empty() && options.residual_scope.empty())) {
    throw InputError("--scale-bits",
                     "changes the scale's precision and nothing else; of the other axes only "
                     "--formats goes with it");
  }
}

void require_rows(const SweepResult& result) {
  if (result.rows.empty()) {
    const SkippedPoint& first = result.skipped.front();
    throw InputError("no combination of the grid can be computed",
                     point_text(first.point) + ": " + first.reason);
  }
}

int run_scales(const CommandOptions& options, const SweepOptions& resolved) {
  require_scale_sweep(options);
  const std::vector<NamedScale> scales = scales_of(options.scale_bits);
  OutputFiles files(options.csv, options.json);
  const ScaleSweepResult result = run_scale_sweep(resolved, scales);
  files.write([&](std::ostream& out) { write_scale_sweep_csv(out, result); },
              [&](std::ostream& out) { write_scale_sweep_json(out, resolved, result); });
  fmt::print("{}: {}", options.input, scale_sweep_table(result));
  return kExitEqual;
}

int run(const CommandOptions& options) {
  const bool is_trace = std::filesystem::is_directory(options.input);
  const SweepOptions resolved = resolve(options, is_trace);
  if (!options.scale_bits.empty()) {
    return run_scales(options, resolved);
  }
  OutputFiles files(options.csv, options.json);
  const SweepResult result = is_trace ? sweep_trace(resolved) : sweep_tensors(resolved);
  require_rows(result);
  files.write([&](std::ostream& out) { write_sweep_csv(out, result); },
              [&](std::ostream& out) { write_sweep_json(out, resolved, result); });
  fmt::print("{}\n\n{}",
             is_trace ? fmt::format("{}: values by the emulator, cycles of {} by its model",
                                    options.input, resolved.machine.machine.name)
                      : fmt::format("{}: values of tensors alone", options.input),
             sweep_table(result));
  return kExitEqual;
}

}  // namespace

void add_sweep_command(CommandLine& line) {
  auto options = std::make_shared<CommandOptions>();
  Arguments arguments = line.add_command(
      "sweep",
      "Accuracy, bits per value and cycles over a grid of formats, presets, corrections and "
      "residuals (docs/sweep.md)",
      [options] { return run(*options); });
  arguments.required("input", options->input, "trace folder, or safetensors file");
  arguments.optional("--formats,--format", options->formats,
                     "mxfp4, hif4, nvfp4 or several, separated by commas; default: all that have "
                     "one of the presets");
  arguments.optional("--presets", options->presets,
                     "named quantizers (list presets), or all; default: the first of each format");
  arguments.optional("--corrections", options->corrections,
                     "none, mbs-static, mbs-dynamic, mbs-hybrid (each also with -32, -64, -128, "
                     "-256), hadamard-16, -32, -64, fallback-ALPHA, fallback-rate-SHARE, sr, "
                     "square; several at once joined by '+'");
  arguments.optional("--residuals", options->residuals,
                     "none, 2:4, dense, channel-50, block-32x64-50 of operand A's residual");
  arguments.optional("--residual-scope", options->residual_scope,
                     "which GEMMs of a trace get residuals: rollout (its fprop GEMMs; default), "
                     "fprop or all");
  arguments.optional("--schemes", options->schemes,
                     "schemes (list schemes) or scheme files, a row each");
  arguments.optional("--scale-bits", options->scale_bits,
                     "instead: the sweep over mantissa bits of the block scale, such as 0..8,inf");
  arguments.optional("--machine", options->machine,
                     "machine whose cycles count (list machines), or a machine file");
  arguments.optional("--filter", options->filter,
                     "of a trace: phase=PREFIX,gemm=fprop|dgrad|wgrad,layer=REGEX; of a file: "
                     "regular expression found anywhere in a tensor's name");
  arguments.optional("--csv", options->csv, "write a line a row to this file");
  arguments.optional("--json", options->json, "write rows, skipped combinations and configuration");
  arguments.option("--seed", options->seed, "of random numbers (stochastic rounding, signs)");
  arguments.threads(options->threads);
}

}  // namespace nibblecore::tb
