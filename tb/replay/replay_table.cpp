// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay_table.hpp"

#include <fmt/format.h>

#include "tb/replay/layer_table.hpp"
#include "tb/replay/replay_title.hpp"
#include "tb/replay/share.hpp"
#include "tb/replay/step_table.hpp"
#include "tb/replay/text_table.hpp"

namespace nibblecore::tb {
namespace {

using Align = TextTable::Align;

std::string percent(double value) { return fmt::format("{:.1f}", 100.0 * value); }

std::string decibels(const SignalToNoise& ratio) {
  const auto value = ratio.decibels();
  return value ? fmt::format("{:.2f}", *value) : "-";
}

std::string ratio(const std::optional<double>& value) {
  return value ? fmt::format("{:.4f}", *value) : "-";
}

void add_measure_columns(TextTable& table) {
  for (const char* title : {"steps", "cycles", "busy", "stalled", "idle", "util %", "BF16 cycles",
                            "speed-up", "outputs", "mismatch", "QDQ max ULP", "SNR dB", "gain",
                            "cosine", "A uflow %", "A sat %", "B uflow %", "B sat %"}) {
    table.add_column(title, Align::kRight);
  }
}

void append_measures(const Machine& machine, const Measures& sum, std::vector<std::string>& cells) {
  const UnitCycles& array = sum.cycles[Unit::kArray];
  for (const std::string& cell :
       {grouped(sum.steps), grouped(sum.cycles.total), grouped(array.busy),
        grouped(array.stalled()), grouped(array.idle), percent(sum.utilisation(machine)),
        grouped(sum.bf16_cycles), fmt::format("{:.2f}", sum.speed_up()), grouped(sum.outputs),
        grouped(sum.mismatches), grouped(int64_t{sum.qdq_ulp.max()}), decibels(sum.signal_to_noise),
        ratio(sum.output.gain()), ratio(sum.output.cosine()),
        percent(share(sum.a.underflows, sum.a.non_zero)),
        percent(share(sum.a.saturations, sum.a.non_zero)),
        percent(share(sum.b.underflows, sum.b.non_zero)),
        percent(share(sum.b.saturations, sum.b.non_zero))}) {
    cells.push_back(cell);
  }
}

std::string gemm_table(const ReplayOptions& options, const ReplayResult& result) {
  constexpr size_t kMeasureColumns = 18;
  TextTable table;
  table.add_column("id", Align::kRight);
  for (const char* title : {"phase", "layer", "gemm"}) {
    table.add_column(title, Align::kLeft);
  }
  for (const char* title : {"M", "N", "K"}) {
    table.add_column(title, Align::kRight);
  }
  add_measure_columns(table);
  for (const GemmResult& gemm : result.gemms) {
    const GemmRecord& record = gemm.record;
    std::vector<std::string> cells{std::to_string(record.id),
                                   record.phase,
                                   record.layer,
                                   std::string(name_of(record.kind)),
                                   std::to_string(record.m),
                                   std::to_string(record.n),
                                   std::to_string(record.k)};
    if (gemm.is_multiplied()) {
      append_measures(options.machine.machine, gemm.measures, cells);
    } else {
      cells.emplace_back("not quantized");
      cells.resize(cells.size() + kMeasureColumns - 1, "-");
    }
    table.add_row(std::move(cells));
  }
  return table.text();
}

std::string sums_table(const ReplayOptions& options, const ReplayResult& result) {
  TextTable table;
  table.add_column("sum over", Align::kLeft);
  table.add_column("GEMMs", Align::kRight);
  add_measure_columns(table);
  const auto add = [&](const std::string& name, const Measures& sum) {
    std::vector<std::string> cells{name, grouped(sum.simulated + sum.numbers)};
    append_measures(options.machine.machine, sum, cells);
    table.add_row(std::move(cells));
  };
  for (const auto& [name, sum] : result.phases) {
    add(name, sum);
  }
  for (const auto& [name, sum] : result.kinds) {
    add(name, sum);
  }
  for (const auto& [name, sum] : result.coverage) {
    add(name, sum);
  }
  add("all quantized", result.totals);
  return table.text();
}

std::string histogram_line(const UlpHistogram& histogram) {
  std::string line = "ULP distance to QDQ (dequantize to FP32, SGEMM):";
  for (const UlpBin& bin : histogram.bins()) {
    if (bin.count != 0) {
      line += fmt::format("  {}: {}", bin.label(), grouped(static_cast<int64_t>(bin.count)));
    }
  }
  if (histogram.nan_mismatches() != 0) {
    line += fmt::format("  one of two NaN: {}", histogram.nan_mismatches());
  }
  return line + "\n";
}

/// What the fault did to the GEMMs that it reached.
std::string fault_lines(const ReplayOptions& options, const ReplayResult& result) {
  if (!options.fault) {
    return {};
  }
  std::string lines = "fault " + text(*options.fault) + ":\n";
  for (const GemmResult& gemm : result.gemms) {
    if (!gemm.fault) {
      continue;
    }
    const FaultRun& run = *gemm.fault;
    lines += fmt::format("  GEMM {} ({} {}): {} values changed on the bus, ", gemm.record.id,
                         gemm.record.phase, gemm.record.layer, run.changed_values);
    if (!run.effect) {
      lines += "run ended by a check of the core: " + run.ended_by + "\n";
      continue;
    }
    lines += fmt::format("{} of {} outputs changed, largest distance {} ULP, {} turned NaN or back",
                         grouped(run.effect->changed), grouped(run.effect->outputs),
                         grouped(int64_t{run.effect->largest_ulp}), run.effect->nan_mismatches);
    lines += run.effect->decibels
                 ? fmt::format(", {:.2f} dB against the sound results\n", *run.effect->decibels)
                 : "\n";
  }
  return lines;
}

std::string verdict(const ReplayOptions& options, const ReplayResult& result) {
  const Measures& sum = result.totals;
  std::string text;
  for (const GemmResult& gemm : result.gemms) {
    if (gemm.first_mismatch) {
      const Mismatch& first = *gemm.first_mismatch;
      text += fmt::format("GEMM {}: first mismatch at ({}, {}): golden {:08X}, hardware {:08X}\n",
                          gemm.record.id, first.row, first.column, first.expected, first.found);
    }
  }
  const char* computed_by = "core";
  switch (options.fidelity) {
    case Fidelity::kCycle:
      text += fmt::format(
          "hardware bits {} golden bits: {} of {} outputs equal; emulator: {} equal\n",
          sum.mismatches == 0 ? "=" : "DIFFER FROM", grouped(sum.outputs - sum.mismatches),
          grouped(sum.outputs), grouped(sum.outputs - sum.emulator_mismatches));
      break;
    case Fidelity::kSampled:
      text += fmt::format(
          "hardware bits {} golden bits in a sample: {} of {} outputs equal; emulator: {} equal; "
          "all values by the emulator, all cycles by the cycle model\n",
          sum.mismatches == 0 ? "=" : "DIFFER FROM", grouped(sum.compared - sum.mismatches),
          grouped(sum.compared), grouped(sum.compared - sum.emulator_mismatches));
      computed_by = "emulator, sampled by the core";
      break;
    case Fidelity::kNumeric:
      text += "values by the emulator; no core and no golden reference took part\n";
      computed_by = "emulator";
      break;
    case Fidelity::kTiming:
      text += "cycles by the cycle model; no values were computed\n";
      computed_by = "cycle model";
      break;
  }
  if (sum.numbers > 0) {
    text += fmt::format(
        "{} GEMMs multiplied as numbers in FP64, since an operand is not packed along K\n",
        grouped(sum.numbers));
  }
  if (sum.synthetic > 0) {
    text += fmt::format("{} of the GEMMs computed had SYNTHETIC VALUES\n", grouped(sum.synthetic));
  }
  text += fmt::format("{} GEMMs computed by the {}, {} listed as not quantized\n",
                      grouped(sum.simulated), computed_by,
                      grouped(sum.gemms - sum.simulated - sum.numbers));
  return text;
}

/// The published claim beside what was measured.
std::string residual_claim(const ReplayResult& result) {
  for (const auto& [name, sum] : result.coverage) {
    if (name == kWithResidual && sum.cycles.total > 0) {
      return fmt::format(
          "GEMMs with a residual: {:.2f} times over BF16 at its full rate, quantizer, metadata and "
          "memory included (published, counting multiply-accumulates alone: 2.67 with a 2:4 "
          "residual, 2 with a dense one, 4 without; arXiv 2607.26515)\n",
          sum.speed_up());
    }
  }
  return {};
}

}  // namespace

std::string replay_table(const ReplayOptions& options, const ReplayResult& result) {
  return replay_title(options) + "\n\n" + gemm_table(options, result) + "\n" +
         sums_table(options, result) + "\n" +
         (result.step ? step_table(options, *result.step) + "\n" : "") +
         (result.layers ? layer_tables(*result.layers) : "") +
         histogram_line(result.totals.qdq_ulp) + residual_claim(result) +
         fault_lines(options, result) + verdict(options, result);
}

}  // namespace nibblecore::tb
