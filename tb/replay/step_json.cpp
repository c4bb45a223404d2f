// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/step_json.hpp"

#include <boost/json/array.hpp>

#include "model/machine/energy.hpp"
#include "tb/replay/report_text.hpp"
#include "tb/replay/share.hpp"

namespace nibblecore::tb {
namespace {

namespace json = boost::json;

double seconds(const ReplayOptions& options, int64_t cycles) {
  return static_cast<double>(cycles) / static_cast<double>(options.machine.machine.clock_hertz);
}

json::object bounds_json(const BoundCycles& cycles) {
  json::object object;
  for (int i = 0; i < kBounds; ++i) {
    const auto bound = static_cast<Bound>(i);
    object[name_of(bound)] = cycles[bound];
  }
  return object;
}

json::object kinds_json(const StepPart& part) {
  json::object object;
  for (const auto& [kind, name] : kGemmKinds) {
    const int64_t cycles = part.cycles_by_kind.at(static_cast<size_t>(kind));
    object[name] = {{"cycles", cycles}, {"share", rounded(share(cycles, part.cycles.total()))}};
  }
  return object;
}

json::object busy_json(const CycleReport& report) {
  json::object object;
  for (int i = 0; i < kUnits; ++i) {
    const auto unit = static_cast<Unit>(i);
    object[name_of(unit)] = report[unit].busy;
  }
  return object;
}

json::object waits_json(const CycleReport& report) {
  json::object object;
  for (int i = 0; i < kStallCauses; ++i) {
    object[name_of(static_cast<StallCause>(i))] =
        report[Unit::kArray].stalls.at(static_cast<size_t>(i));
  }
  object["idle"] = report[Unit::kArray].idle;
  return object;
}

json::object work_json(const WorkCounts& work) {
  json::object object;
  for (size_t i = 0; i < work.counts.size(); ++i) {
    if (work.counts[i] != 0) {
      object[work_records()[i].name] = work.counts[i];
    }
  }
  return object;
}

json::object energy_json(const Energy& energy) {
  json::object object{{"joules", joules(energy.total())}};
  json::object groups;
  for (int i = 0; i < kWorkGroups; ++i) {
    const auto group = static_cast<WorkGroup>(i);
    groups[name_of(group)] = joules(energy[group]);
  }
  object["by_group"] = std::move(groups);
  return object;
}

void append_part(const ReplayOptions& options, const StepPart& part, json::object& object) {
  const int64_t cycles = part.cycles.total();
  object["gemms"] = part.gemms;
  object["macs"] = part.macs;
  object["cycles"] = cycles;
  object["seconds"] = seconds(options, cycles);
  object["roofline_cycles"] = part.roofline_cycles;
  object["roofline_seconds"] = seconds(options, part.roofline_cycles);
  object["bf16_cycles"] = part.bf16_cycles;
  object["bf16_seconds"] = seconds(options, part.bf16_cycles);
  object["bf16_roofline_cycles"] = part.bf16_roofline_cycles;
  object["bf16_roofline_seconds"] = seconds(options, part.bf16_roofline_cycles);
  object["speed_up"] = rounded(share(part.bf16_cycles, cycles));
  object["bound"] = name_of(part.cycles.largest());
  object["cycles_by_bound"] = bounds_json(part.cycles);
  object["by_gemm"] = kinds_json(part);
  object["busy"] = busy_json(part.units);
  object["array_waits"] = waits_json(part.units);
  object["work"] = work_json(part.work);
  if (options.energy) {
    object["energy"] = energy_json(energy_of(part.work, *options.energy));
  }
}

}  // namespace

json::object step_json(const ReplayOptions& options, const StepReport& step) {
  json::object object{{"ranks", step.ranks()},
                      {"cores", options.machine.machine.cores},
                      {"clock_hertz", options.machine.machine.clock_hertz}};
  append_part(options, step.all(), object);
  json::array phases;
  for (const StepPart& phase : step.phases()) {
    json::object one{{"phase", phase.name}};
    append_part(options, phase, one);
    phases.push_back(std::move(one));
  }
  object["phases"] = std::move(phases);
  return object;
}

}  // namespace nibblecore::tb
