// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "model/common/atomic_file.hpp"
#include "model/common/error.hpp"
#include "tb/command/commands.hpp"
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
  if (!options.csv.empty() && options.csv == options.json) {
    throw InputError("--csv, --json", "name the same file");
  }
  options.run.input = options.input;
  // Opened ahead of the work, which would be lost where they can't be.
  std::optional<AtomicFile> csv;
  std::optional<AtomicFile> json;
  if (!options.csv.empty()) {
    csv.emplace(options.csv);
  }
  if (!options.json.empty()) {
    json.emplace(options.json);
  }
  const DecomposeResult result = run_decompose(options.run);
  if (csv) {
    write_decompose_csv(csv->stream(), result);
    csv->close();
  }
  if (json) {
    write_decompose_json(json->stream(), options.run, result);
    json->close();
  }
  // All are whole before the first is put in place.
  if (csv) {
    csv->commit();
  }
  if (json) {
    json->commit();
  }
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
