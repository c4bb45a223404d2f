// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/sweep_files.hpp"

#include <boost/json.hpp>

#include "tb/replay/report_text.hpp"
#include "tb/sweep/scale_sweep_record.hpp"
#include "tb/sweep/sweep_record.hpp"
#include "tb/version.hpp"

namespace nibblecore::tb {
namespace {

namespace json = boost::json;

json::array names(const std::vector<std::string>& list) {
  json::array array;
  for (const std::string& name : list) {
    array.push_back(json::value(name));
  }
  return array;
}

json::object configuration(const SweepOptions& options, std::string_view input_kind) {
  return {{"input", options.input.string()},
          {"input_kind", input_kind},
          {"filter", options.filter},
          {"formats", names(options.axes.formats)},
          {"seed", options.seed}};
}

void write_json(std::ostream& out, const json::object& configured,
                const std::vector<json::object>& rows, const std::vector<json::object>* skipped) {
  out << "{\n \"configuration\": " << json::serialize(configured)
      << ",\n \"versions\": " << json::serialize(json::object{{"nibblecore", kVersion}})
      << ",\n \"rows\": ";
  write_json_list(out, rows);
  if (skipped != nullptr) {
    out << ",\n \"skipped\": ";
    write_json_list(out, *skipped);
  }
  out << "\n}\n";
}

json::object record_with_kinds(const SweepResult& result, const SweepRow& row) {
  json::object record = row_record(result.kind, row);
  if (result.kind == SweepInputKind::kTensors) {
    record["kinds"] = kind_records(row);
  }
  return record;
}

}  // namespace

void write_sweep_csv(std::ostream& out, const SweepResult& result) {
  std::vector<json::object> rows;
  for (const SweepRow& row : result.rows) {
    rows.push_back(row_record(result.kind, row));
  }
  out << csv_of(rows);
}

void write_sweep_json(std::ostream& out, const SweepOptions& options, const SweepResult& result) {
  const bool is_trace = result.kind == SweepInputKind::kTrace;
  json::object configured = configuration(options, is_trace ? "trace" : "tensors");
  configured["presets"] = names(options.axes.presets);
  configured["corrections"] = names(options.axes.corrections);
  configured["residuals"] = names(options.axes.residuals);
  configured["schemes"] = names(options.axes.schemes);
  if (is_trace) {
    configured["residual_scope"] = name_of(options.residual_scope);
    configured["machine"] = options.machine.machine.name;
  }
  std::vector<json::object> rows;
  for (const SweepRow& row : result.rows) {
    rows.push_back(record_with_kinds(result, row));
  }
  std::vector<json::object> skipped;
  for (const SkippedPoint& point : result.skipped) {
    skipped.push_back(skipped_record(point));
  }
  write_json(out, configured, rows, &skipped);
}

void write_scale_sweep_csv(std::ostream& out, const ScaleSweepResult& result) {
  out << csv_of(scale_sweep_records(result));
}

void write_scale_sweep_json(std::ostream& out, const SweepOptions& options,
                            const ScaleSweepResult& result) {
  json::object configured = configuration(options, "scale_bits");
  configured["block"] = result.format.block;
  write_json(out, configured, scale_sweep_records(result), nullptr);
}

}  // namespace nibblecore::tb
