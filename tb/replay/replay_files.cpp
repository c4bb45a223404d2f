// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay_files.hpp"

#include <string>
#include <system_error>

#include <unistd.h>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <systemc>

#include "model/common/atomic_file.hpp"
#include "model/common/error.hpp"
#include "tb/replay/gemms_csv.hpp"
#include "tb/replay/layer_table.hpp"
#include "tb/replay/replay_configuration.hpp"
#include "tb/replay/report_text.hpp"
#include "tb/replay/share.hpp"
#include "tb/replay/step_json.hpp"
#include "tb/version.hpp"

namespace nibblecore::tb {
namespace {

namespace json = boost::json;

json::value decibels(const SignalToNoise& ratio) { return rounded(ratio.decibels()); }

json::object operand_json(const OperandStatistics& operand) {
  return {{"non_zero", operand.non_zero},
          {"underflows", operand.underflows},
          {"saturations", operand.saturations},
          {"underflow_share", rounded(share(operand.underflows, operand.non_zero))},
          {"saturation_share", rounded(share(operand.saturations, operand.non_zero))},
          {"gain", rounded(operand.agreement.gain())},
          {"cosine", rounded(operand.agreement.cosine())}};
}

json::object histogram_json(const UlpHistogram& histogram) {
  json::object bins;
  for (const UlpBin& bin : histogram.bins()) {
    if (bin.count != 0) {
      bins[bin.label()] = bin.count;
    }
  }
  return {{"max", histogram.max()},
          {"nan_mismatches", histogram.nan_mismatches()},
          {"histogram", bins}};
}

json::object unit_json(const UnitCycles& unit) {
  json::object object{{"busy", unit.busy}};
  for (int i = 0; i < kStallCauses; ++i) {
    object[name_of(static_cast<StallCause>(i))] = unit.stalls.at(static_cast<size_t>(i));
  }
  object["idle"] = unit.idle;
  return object;
}

/// Every unit's cycles by cause; each sums to the cycles of the 4-bit GEMMs.
json::object units_json(const CycleReport& cycles) {
  json::object object;
  for (int i = 0; i < kUnits; ++i) {
    object[name_of(static_cast<Unit>(i))] = unit_json(cycles.units.at(static_cast<size_t>(i)));
  }
  return object;
}

json::object steps_json(const CycleReport& cycles) {
  json::object object;
  for (int i = 0; i < kStepKinds; ++i) {
    object[name_of(static_cast<StepKind>(i))] = cycles.steps.at(static_cast<size_t>(i));
  }
  return object;
}

/// The array's cycles by cause; together with the unquantized GEMMs' they sum to all cycles.
json::object causes_json(const Measures& sum) {
  json::object object = unit_json(sum.cycles[Unit::kArray]);
  object["bf16"] = sum.unquantized_cycles;
  return object;
}

void append_measures(const Machine& machine, const Measures& sum, json::object& object) {
  object["macs"] = sum.macs;
  object["steps"] = sum.steps;
  object["steps_by_kind"] = steps_json(sum.cycles);
  object["cycles"] = sum.total_cycles();
  object["bf16_cycles"] = sum.bf16_cycles;
  object["cycles_by_cause"] = causes_json(sum);
  object["units"] = units_json(sum.cycles);
  object["loaded_bytes"] = sum.cycles.loaded_bytes;
  object["stored_bytes"] = sum.cycles.stored_bytes;
  object["quantized_blocks"] = sum.cycles.quantized_blocks;
  object["utilisation"] = rounded(sum.utilisation(machine));
  object["outputs"] = sum.outputs;
  object["compared"] = sum.compared;
  object["mismatches"] = sum.mismatches;
  object["emulator_mismatches"] = sum.emulator_mismatches;
  object["snr_db"] = decibels(sum.signal_to_noise);
  object["gain"] = rounded(sum.output.gain());
  object["cosine"] = rounded(sum.output.cosine());
  object["qdq_ulp"] = histogram_json(sum.qdq_ulp);
  object["a"] = operand_json(sum.a);
  object["b"] = operand_json(sum.b);
}

json::object sum_json(const Machine& machine, const Measures& sum) {
  json::object object{{"gemms", sum.gemms},
                      {"quantized_gemms", sum.simulated},
                      {"number_gemms", sum.numbers},
                      {"synthetic_gemms", sum.synthetic},
                      {"quantized_macs", sum.simulated_macs}};
  append_measures(machine, sum, object);
  return object;
}

json::object fault_json(const FaultRun& run) {
  json::object object{{"changed_values", run.changed_values}};
  if (!run.effect) {
    object["ended_by"] = run.ended_by;
    return object;
  }
  object["changed_outputs"] = run.effect->changed;
  object["largest_ulp"] = run.effect->largest_ulp;
  object["nan_mismatches"] = run.effect->nan_mismatches;
  object["snr_db"] =
      run.effect->decibels ? json::value(rounded(*run.effect->decibels)) : json::value(nullptr);
  return object;
}

json::object gemm_json(const Machine& machine, const GemmResult& gemm) {
  const GemmRecord& record = gemm.record;
  json::object object{{"id", record.id},
                      {"phase", record.phase},
                      {"gemm", name_of(record.kind)},
                      {"layer", record.layer},
                      {"m", record.m},
                      {"n", record.n},
                      {"k", record.k},
                      {"count", record.count},
                      {"batch", record.batch},
                      {"quantized", gemm.is_simulated()},
                      {"multiplied_as", name_of(gemm.multiplication)},
                      {"treatment", {{"a", gemm.a_treatment}, {"b", gemm.b_treatment}}},
                      {"residual", gemm.has_residual},
                      {"values", gemm.values()}};
  append_measures(machine, gemm.measures, object);
  if (gemm.fault) {
    object["fault"] = fault_json(*gemm.fault);
  }
  if (gemm.first_mismatch) {
    const Mismatch& first = *gemm.first_mismatch;
    object["first_mismatch"] = {{"row", first.row},
                                {"column", first.column},
                                {"golden", fmt::format("{:08X}", first.expected)},
                                {"hardware", fmt::format("{:08X}", first.found)}};
  }
  return object;
}

json::object versions_json(const ReplayResult& result) {
  return {{"nibblecore", kVersion},
          {"systemc", SC_VERSION},
          {"qdq_blas", result.blas.version},
          {"qdq_kernel", result.blas.kernel}};
}

void write_report(std::ostream& out, const ReplayOptions& options, const ReplayResult& result) {
  std::vector<json::object> sums;
  const auto add_sums = [&](const char* key, const auto& groups) {
    for (const auto& [name, sum] : groups) {
      json::object object{{key, name}};
      for (const auto& member : sum_json(options.machine.machine, sum)) {
        object.insert(member);
      }
      sums.push_back(std::move(object));
    }
  };
  add_sums("phase", result.phases);
  add_sums("gemm", result.kinds);
  add_sums("residual", result.coverage);
  out << "{\n \"configuration\": " << json::serialize(replay_configuration(options))
      << ",\n \"versions\": " << json::serialize(versions_json(result))
      << ",\n \"totals\": " << json::serialize(sum_json(options.machine.machine, result.totals))
      << ",\n \"sums\": ";
  write_json_list(out, sums);
  if (result.step) {
    out << ",\n \"step\": " << json::serialize(step_json(options, *result.step));
  }
  if (result.layers) {
    out << ",\n \"layers\": " << json::serialize(layer_report_json(*result.layers));
  }
  out << ",\n \"gemms\": ";
  write_json_list(out, result.gemms.size(),
                  [&](size_t i) { return gemm_json(options.machine.machine, result.gemms[i]); });
  out << "\n}\n";
}

}  // namespace

void require_output_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::path existing = std::filesystem::absolute(folder, ignored);
  while (!std::filesystem::exists(existing, ignored) && existing.has_relative_path()) {
    existing = existing.parent_path();
  }
  if (!std::filesystem::is_directory(existing, ignored) ||
      access(existing.c_str(), W_OK | X_OK) != 0) {
    throw InputError(folder.string(), "can't write here: '" + existing.string() +
                                          "' is not a folder one may write to");
  }
}

void make_output_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    throw InputError(folder.string(), "can't make the output folder: " + failure.message());
  }
}

void write_replay_files(const std::filesystem::path& folder, const ReplayOptions& options,
                        const ReplayResult& result) {
  make_output_folder(folder);
  AtomicFile csv(folder / "gemms.csv");
  AtomicFile report(folder / "report.json");
  write_gemms_csv(csv.stream(), options, result);
  write_report(report.stream(), options, result);
  // Both are whole before either is put in place.
  csv.close();
  report.close();
  csv.commit();
  report.commit();
}

}  // namespace nibblecore::tb
