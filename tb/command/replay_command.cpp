// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include <fmt/format.h>

#include "model/common/error.hpp"
#include "tb/command/commands.hpp"
#include "tb/command/preset_options.hpp"
#include "tb/replay/replay.hpp"
#include "tb/replay/replay_files.hpp"
#include "tb/replay/replay_table.hpp"

namespace nibblecore::tb {
namespace {

struct ReplayCommandOptions {
  std::string trace;
  std::string output;
  PresetOptions preset;
  std::string accumulate = "fp32-rne";
  std::string machine = built_in_machines().front().machine.name;
  std::string online = "a";
  std::string store = "fp32";
  std::string loop_order = "auto";
  std::string step_order = "tiles";
  std::string fidelity = "cycle";
  std::string residual = "none";
  std::string residual_build = "serial";
  std::string residual_order = "interleaved";
  std::string residual_scope = "rollout";
  std::string filter;
  std::string waveform;
  std::string timeline;
  std::string fault;
  uint64_t seed = 1;
  int64_t samples = 4;
  bool quantize_all = false;
  int threads = 0;
};

ReplayOptions resolve(const ReplayCommandOptions& options) {
  ReplayOptions resolved;
  resolved.trace = options.trace;
  resolved.filter = options.filter;
  resolved.preset = options.preset.resolve();
  resolved.accumulation = accumulation(options.accumulate);
  resolved.machine = load_machine(options.machine);
  resolved.online = online(options.online);
  resolved.output = output_width(options.store);
  if (options.loop_order != "auto") {
    resolved.tiling.loop_order = loop_order(options.loop_order);
  }
  resolved.tiling.step_order = step_order(options.step_order);
  resolved.seed = options.seed;
  resolved.sample_tiles = options.samples;
  resolved.fidelity = fidelity(options.fidelity);
  resolved.residual = {residual_pattern(options.residual), residual_build(options.residual_build),
                       residual_order(options.residual_order),
                       residual_scope(options.residual_scope)};
  resolved.unquantized = options.quantize_all ? Unquantized::kSimulate : Unquantized::kList;
  resolved.threads = options.threads;
  if (!options.waveform.empty()) {
    resolved.waveform = options.waveform;
  }
  if (!options.timeline.empty()) {
    resolved.timeline = options.timeline;
  }
  if (!options.fault.empty()) {
    resolved.fault = parse_fault(options.fault);
  }
  return resolved;
}

int run(const ReplayCommandOptions& options) {
  const ReplayOptions resolved = resolve(options);
  if (!options.output.empty()) {
    require_output_folder(options.output);
  }
  const ReplayResult result = replay(resolved);
  if (!options.output.empty()) {
    write_replay_files(options.output, resolved, result);
  }
  fmt::print("{}", replay_table(resolved, result));
  return result.all_equal() ? kExitEqual : kExitMismatch;
}

}  // namespace

void add_replay_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ReplayCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "replay", "Replay the GEMMs of a trace through the SystemC core and compare every bit");
  command->add_option("trace", options->trace, "trace folder (gemms.jsonl and safetensors)")
      ->required();
  command->add_option("-o,--output", options->output,
                      "folder to write report.json and gemms.csv to");
  options->preset.add_to(*command);
  command->add_option("--accumulate", options->accumulate, "policy (list policies)")
      ->capture_default_str();
  command->add_option("--machine", options->machine, "machine (list machines), or a machine file")
      ->capture_default_str();
  command
      ->add_option("--online", options->online,
                   "operands that the core quantizes: none, a, b or both; the others arrive packed")
      ->capture_default_str();
  command->add_option("--store", options->store, "what results are stored as: fp32 or bf16")
      ->capture_default_str();
  command
      ->add_option("--loop-order", options->loop_order,
                   "regions of the output by rows or by columns; auto: the faster")
      ->capture_default_str();
  command
      ->add_option("--step-order", options->step_order,
                   "within a chunk of K every tile before the next step (tiles) or every step "
                   "before the next tile (steps)")
      ->capture_default_str();
  command
      ->add_option("--fidelity", options->fidelity,
                   "cycle: every value and every cycle by the SystemC core; sampled: values by the "
                   "emulator, a sample of tiles by the core, cycles by the model; numeric: values "
                   "by the emulator; timing: cycles by the model")
      ->capture_default_str();
  command
      ->add_option("--residual", options->residual,
                   "none, 2:4, dense, channel-50 or block-32x64-50 of operand A's residual")
      ->capture_default_str();
  command->add_option("--residual-build", options->residual_build, "serial or parallel")
      ->capture_default_str();
  command->add_option("--residual-order", options->residual_order, "interleaved or appended")
      ->capture_default_str();
  command
      ->add_option("--residual-scope", options->residual_scope,
                   "rollout (its fprop GEMMs), fprop or all")
      ->capture_default_str();
  command->add_option("--filter", options->filter,
                      "phase=PREFIX,gemm=fprop|dgrad|wgrad,layer=REGEX; any of them");
  command->add_flag("--quantize-all", options->quantize_all,
                    "also simulate records marked \"quantize\":false");
  command->add_option("--seed", options->seed, "picks the sample of --fidelity sampled")
      ->capture_default_str();
  command->add_option("--samples", options->samples, "output tiles of a GEMM in that sample")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--vcd", options->waveform, "write a waveform of the core to this file");
  command->add_option("--timeline", options->timeline,
                      "write what the units did in the first GEMM, as a Chrome/Perfetto trace");
  command->add_option("--fault", options->fault,
                      "SITE:INDEX:BIT:flip@CYCLE (or :stuck_at_0, :stuck_at_1): compute every GEMM "
                      "once more with this fault in the core and say what it does (faults --list)");
  command->add_option("--threads", options->threads, "0: one per processor")
      ->check(CLI::NonNegativeNumber);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace nibblecore::tb
