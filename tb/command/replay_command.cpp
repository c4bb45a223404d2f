// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "model/common/error.hpp"
#include "tb/command/commands.hpp"
#include "tb/command/correction_arguments.hpp"
#include "tb/command/fill_arguments.hpp"
#include "tb/command/preset_options.hpp"
#include "tb/replay/replay.hpp"
#include "tb/replay/replay_files.hpp"
#include "tb/replay/replay_journal.hpp"
#include "tb/replay/replay_table.hpp"

namespace nibblecore::tb {
namespace {

struct ReplayCommandOptions {
  std::string trace;
  std::string output;
  PresetOptions preset;
  CorrectionArguments corrections;
  std::string scheme;
  std::string accumulate = "fp32-rne";
  std::string machine = built_in_machines().front().machine.name;
  std::string online = "auto";
  std::string store = "fp32";
  std::string loop_order = "auto";
  std::string step_order = "tiles";
  std::string fidelity = "cycle";
  std::string residual = "none";
  std::string residual_build = "serial";
  std::string residual_order = "interleaved";
  std::string residual_scope = "rollout";
  std::string filter;
  FillArguments fill;
  std::string waveform;
  std::string timeline;
  std::string fault;
  std::string energy;
  uint64_t seed = 1;
  int64_t samples = 4;
  bool quantize_all = false;
  bool layer_measures = false;
  bool resume = false;
  int threads = 0;
};

ReplayOptions resolve(const ReplayCommandOptions& options) {
  ReplayOptions resolved;
  resolved.trace = options.trace;
  resolved.filter = options.filter;
  resolved.preset = options.preset.resolve();
  resolved.accumulation = accumulation(options.accumulate);
  resolved.machine = load_machine(options.machine);
  if (options.online != "auto") {
    resolved.online = online(options.online);
  }
  resolved.output = output_width(options.store);
  if (options.loop_order != "auto") {
    resolved.tiling.loop_order = loop_order(options.loop_order);
  }
  resolved.tiling.step_order = step_order(options.step_order);
  resolved.seed = options.seed;
  resolved.sample_tiles = options.samples;
  resolved.fidelity = fidelity(options.fidelity);
  resolved.fill = options.fill.resolve();
  resolved.corrections = options.corrections.resolve();
  resolved.residual = {
      residual_with(resolved.corrections, options.residual), residual_build(options.residual_build),
      residual_order(options.residual_order), residual_scope(options.residual_scope)};
  if (!options.scheme.empty()) {
    if (options.preset.is_given() || options.corrections.is_given() || options.residual != "none") {
      throw InputError("--scheme",
                       "says what every operand gets; leave out --preset, --format, "
                       "--residual and the corrections");
    }
    resolved.scheme = load_scheme(options.scheme);
  }
  resolved.layer_measures = options.layer_measures ? LayerMeasures::kYes : LayerMeasures::kNo;
  resolved.unquantized = options.quantize_all ? Unquantized::kSimulate : Unquantized::kList;
  resolved.threads = options.threads;
  if (!options.waveform.empty()) {
    resolved.waveform = options.waveform;
  }
  if (!options.timeline.empty()) {
    resolved.timeline = options.timeline;
  }
  if (!options.energy.empty()) {
    resolved.energy = load_energy_table(options.energy);
  }
  if (!options.fault.empty()) {
    resolved.fault = parse_fault(options.fault);
  }
  return resolved;
}

void require_resumable(const ReplayCommandOptions& options) {
  if (options.output.empty()) {
    throw InputError("--resume", "needs the folder that the report goes to: -o");
  }
  if (!options.waveform.empty() || !options.timeline.empty()) {
    throw InputError("--resume",
                     "does not go with --vcd and --timeline: what was recorded before "
                     "the replay was stopped is lost");
  }
}

int run(const ReplayCommandOptions& options) {
  const ReplayOptions resolved = resolve(options);
  if (!options.output.empty()) {
    require_output_folder(options.output);
  }
  std::optional<ReplayJournal> journal;
  if (options.resume) {
    require_resumable(options);
    journal.emplace(options.output);
  } else if (!options.output.empty()) {
    require_no_journal(options.output);
  }
  const ReplayResult result = replay(resolved, journal ? &*journal : nullptr);
  if (!options.output.empty()) {
    write_replay_files(options.output, resolved, result);
  }
  if (journal) {
    journal->remove();
  }
  fmt::print("{}", replay_table(resolved, result));
  if (result.from_journal > 0) {
    fmt::print("{} of these GEMMs were taken from the journal of a replay that was stopped\n",
               result.from_journal);
  }
  return result.all_equal() ? kExitEqual : kExitMismatch;
}

}  // namespace

void add_replay_command(CommandLine& line) {
  auto options = std::make_shared<ReplayCommandOptions>();
  Arguments arguments = line.add_command(
      "replay", "Replay the GEMMs of a trace through the SystemC core and compare every bit",
      [options] { return run(*options); });
  arguments.required("trace", options->trace, "trace folder (gemms.jsonl and safetensors)");
  arguments.optional("-o,--output", options->output,
                     "folder to write report.json and gemms.csv to");
  options->preset.add_to(arguments);
  arguments.optional(
      "--scheme", options->scheme,
      "what each operand gets in each phase and GEMM (list schemes), or a scheme file");
  options->corrections.add_to(arguments);
  arguments.option("--accumulate", options->accumulate, "policy (list policies)");
  arguments.option("--machine", options->machine, "machine (list machines), or a machine file");
  arguments.optional("--energy", options->energy,
                     "also price what the machine does: an energy table (list energy), or a file");
  arguments.option("--online", options->online,
                   "operands that the core quantizes: none, a, b or both; the others arrive "
                   "packed; auto: a where "
                   "the core has a circuit for it");
  arguments.option("--store", options->store, "what results are stored as: fp32 or bf16");
  arguments.option("--loop-order", options->loop_order,
                   "regions of the output by rows or by columns; auto: the faster");
  arguments.option("--step-order", options->step_order,
                   "within a chunk of K every tile before the next step (tiles) or every step "
                   "before the next tile (steps)");
  arguments.option("--fidelity", options->fidelity,
                   "cycle: every value and every cycle by the SystemC core; sampled: values by the "
                   "emulator, a sample of tiles by the core, cycles by the model; numeric: values "
                   "by the emulator; timing: cycles by the model");
  arguments.option("--residual", options->residual,
                   "none, 2:4, dense, channel-50 or block-32x64-50 of operand A's residual");
  arguments.option("--residual-build", options->residual_build, "serial or parallel");
  arguments.option("--residual-order", options->residual_order, "interleaved or appended");
  arguments.option("--residual-scope", options->residual_scope,
                   "rollout (its fprop GEMMs), fprop or all");
  arguments.optional("--filter", options->filter,
                     "phase=PREFIX,gemm=fprop|dgrad|wgrad,layer=REGEX; any of them");
  options->fill.add_to(arguments);
  arguments.flag("--quantize-all", options->quantize_all,
                 "also simulate records marked \"quantize\":false");
  arguments.flag("--layer-measures", options->layer_measures,
                 "also compare rollout with training layer by layer, multiply gamma and gains over "
                 "layers, and give the effective temperature of heads");
  arguments.option("--seed", options->seed,
                   "of random numbers (stochastic rounding, signs, noise) and of the "
                   "sample of --fidelity sampled");
  arguments.option("--samples", options->samples, "output tiles of a GEMM in that sample",
                   Least::kOne);
  arguments.optional("--vcd", options->waveform, "write a waveform of the core to this file");
  arguments.optional("--timeline", options->timeline,
                     "write what the units did in the first GEMM, as a Chrome/Perfetto trace");
  arguments.optional("--fault", options->fault,
                     "SITE:INDEX:BIT:flip@CYCLE (or :stuck_at_0, :stuck_at_1): compute every GEMM "
                     "once more with this fault in the core and say what it does (faults --list)");
  arguments.flag("--resume", options->resume,
                 "keep a journal of finished GEMMs in the output folder until the report is "
                 "written, and go on with the one that a replay with the same options left there");
  arguments.threads(options->threads);
}

}  // namespace nibblecore::tb
