// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/step_table.hpp"

#include <fmt/format.h>

#include "model/machine/energy.hpp"
#include "tb/replay/share.hpp"
#include "tb/replay/text_table.hpp"

namespace nibblecore::tb {
namespace {

std::string percent(int64_t part, int64_t whole) {
  return fmt::format("{:.1f}", 100.0 * share(part, whole));
}

std::string seconds(const ReplayOptions& options, int64_t cycles) {
  return fmt::format("{:.6g}", static_cast<double>(cycles) /
                                   static_cast<double>(options.machine.machine.clock_hertz));
}

/// Calls `add` with each phase and with their sum.
template <typename Add>
void for_each_part(const StepReport& step, const Add& add) {
  for (const StepPart& phase : step.phases()) {
    add(phase.name, phase);
  }
  add("whole step", step.all());
}

std::string time_table(const ReplayOptions& options, const StepReport& step) {
  TextTable table({"phase"}, {"GEMMs", "cycles", "seconds", "roofline s", "BF16 rate s",
                              "BF16 roofline s", "over rate"});
  table.add_column("bound by", TextTable::Align::kLeft);
  for (const char* title :
       {"compute %", "memory %", "fill %", "BF16 %", "fprop %", "dgrad %", "wgrad %"}) {
    table.add_column(title, TextTable::Align::kRight);
  }
  for_each_part(step, [&](const std::string& name, const StepPart& part) {
    const int64_t cycles = part.cycles.total();
    std::vector<std::string> cells{name,
                                   grouped(part.gemms),
                                   grouped(cycles),
                                   seconds(options, cycles),
                                   seconds(options, part.roofline_cycles),
                                   seconds(options, part.bf16_cycles),
                                   seconds(options, part.bf16_roofline_cycles),
                                   fmt::format("{:.2f}", share(part.bf16_cycles, cycles)),
                                   std::string(name_of(part.cycles.largest()))};
    for (const int64_t bound : part.cycles.cycles) {
      cells.push_back(percent(bound, cycles));
    }
    for (const int64_t kind : part.cycles_by_kind) {
      cells.push_back(percent(kind, cycles));
    }
    table.add_row(std::move(cells));
  });
  return table.text();
}

std::string traffic_table(const StepReport& step) {
  TextTable table({"phase"}, {"memory loaded", "memory stored", "L1 read", "L0 read", "L0C read",
                              "values quantized", "residual values"});
  for_each_part(step, [&](const std::string& name, const StepPart& part) {
    const WorkCounts& work = part.work;
    table.add_row({name, grouped(work[Work::kMemoryLoadedBytes]),
                   grouped(work[Work::kMemoryStoredBytes]), grouped(work[Work::kL1ReadBytes]),
                   grouped(work[Work::kL0ReadBytes]), grouped(work[Work::kL0cReadBytes]),
                   grouped(work[Work::kMxfp4QuantizedValues] + work[Work::kHif4QuantizedValues] +
                           work[Work::kNvfp4QuantizedValues]),
                   grouped(work[Work::kResidualValues])});
  });
  return "bytes of all cores; values include a residual's second quantization\n" + table.text();
}

std::string energy_text(const EnergyTable& prices, const StepReport& step) {
  TextTable table({"phase"}, {"joules"});
  for (int i = 0; i < kWorkGroups; ++i) {
    table.add_column(std::string(name_of(static_cast<WorkGroup>(i))) + " %",
                     TextTable::Align::kRight);
  }
  for_each_part(step, [&](const std::string& name, const StepPart& part) {
    const Energy energy = energy_of(part.work, prices);
    const double all = joules(energy.total());
    std::vector<std::string> cells{name, fmt::format("{:.6g}", all)};
    for (const Femtojoules group : energy.groups) {
      cells.push_back(fmt::format("{:.1f}", all == 0 ? 0.0 : 100.0 * joules(group) / all));
    }
    table.add_row(std::move(cells));
  });
  std::string text =
      fmt::format("energy by table {}: {}\n{}", prices.name, prices.description, table.text());
  for (const std::string& note : prices.notes) {
    text += "note: " + note + "\n";
  }
  return text;
}

}  // namespace

std::string step_table(const ReplayOptions& options, const StepReport& step) {
  const Machine& machine = options.machine.machine;
  std::string text = fmt::format(
      "whole step on {} ({} cores at {:.6g} GHz), the trace's GEMMs one after the other{}; no "
      "communication, no other operations\n",
      machine.name, machine.cores, static_cast<double>(machine.clock_hertz) / 1e9,
      step.ranks() > 1 ? fmt::format(", those of {} ranks added up", step.ranks())
                       : std::string(": the time of the one rank whose GEMMs these are"));
  text += time_table(options, step) +
          "roofline: the array's steps on all cores alike, or both operands and the result once "
          "through the memory, whichever is longer; BF16 rate: nothing waits\n\n" +
          traffic_table(step);
  if (options.energy) {
    text += "\n" + energy_text(*options.energy, step);
  }
  return text;
}

}  // namespace nibblecore::tb
