// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include <fmt/format.h>

#include "tb/command/commands.hpp"
#include "tb/command/output_files.hpp"
#include "tb/command/preset_options.hpp"
#include "tb/decompose/decompose_files.hpp"
#include "tb/decompose/decompose_run.hpp"
#include "tb/decompose/decompose_table.hpp"

namespace nibblecore::tb {
namespace {

struct CommandOptions {
  DecomposeOptions run;
  std::string input;
  PresetOptions preset;
  std::string csv;
  std::string json;
};

int run(CommandOptions options) {
  options.run.preset = options.preset.resolve();
  options.run.input = options.input;
  OutputFiles files(options.csv, options.json);
  const DecomposeResult result = run_decompose(options.run);
  files.write([&](std::ostream& out) { write_decompose_csv(out, result); },
              [&](std::ostream& out) { write_decompose_json(out, options.run, result); });
  const Preset& preset = options.run.preset;
  fmt::print("{}, {} {}, blocks along axis {}: Q - x in parts, energies over that of Q - x\n\n{}",
             options.input, preset.format.name, preset.name, options.run.axis,
             decompose_table(result));
  return kExitEqual;
}

}  // namespace

void add_decompose_command(CommandLine& line) {
  auto options = std::make_shared<CommandOptions>();
  Arguments arguments = line.add_command(
      "decompose",
      "Split the quantization error of a safetensors file's tensors into the parts of scale, grid "
      "and dead zone",
      [options] { return run(*options); });
  arguments.required("input", options->input, "safetensors file");
  options->preset.add_to(arguments);
  arguments.option("--axis", options->run.axis, "of the blocks; negative: from the last");
  arguments.optional("--filter", options->run.filter,
                     "regular expression found anywhere in the names of the tensors to take");
  arguments.option("--seed", options->run.seed, "of stochastic rounding");
  arguments.optional("--csv", options->csv, "write every figure to this file");
  arguments.optional("--json", options->json, "write every figure and the configuration to it");
  arguments.threads(options->run.threads);
}

}  // namespace nibblecore::tb
