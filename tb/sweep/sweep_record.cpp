// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/sweep_record.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include "tb/replay/report_text.hpp"
#include "tb/replay/share.hpp"

namespace nibblecore::tb {
namespace {

namespace json = boost::json;

json::value optional_value(const std::optional<int64_t>& value) {
  return value ? json::value(*value) : json::value(nullptr);
}

/// "8", "8/16"; null without factors.
json::value factor_sizes(const OperandStorage& storage) {
  std::string text;
  for (const int bits : storage.factor_sizes) {
    text += (text.empty() ? "" : "/") + std::to_string(bits);
  }
  return text.empty() ? json::value(nullptr) : json::value(text);
}

void add_agreement(const SweepPart& part, const std::string& prefix, json::object& record) {
  record[prefix + "snr_db"] = rounded(part.noise.decibels());
  record[prefix + "relative_error"] = six_digits(part.relative_error());
  record[prefix + "gain"] = rounded(part.agreement.gain());
  record[prefix + "cosine"] = rounded(part.agreement.cosine());
}

void add_losses(const OperandStatistics& operand, const std::string& prefix, json::object& record) {
  record[prefix + "underflow"] = rounded(share(operand.underflows, operand.non_zero));
  record[prefix + "saturation"] = rounded(share(operand.saturations, operand.non_zero));
}

void add_operand_figures(const OperandStatistics& operand, const std::string& prefix,
                         json::object& record) {
  record[prefix + "gain"] = rounded(operand.agreement.gain());
  record[prefix + "cosine"] = rounded(operand.agreement.cosine());
  add_losses(operand, prefix, record);
}

void add_shares(const std::optional<Decomposition>& parts, const std::string& prefix,
                json::object& record) {
  const auto share_of = [&](double Decomposition::*energy) {
    return parts ? rounded(parts->share(*parts.*energy)) : json::value(nullptr);
  };
  record[prefix + "scale"] = share_of(&Decomposition::scale);
  record[prefix + "grid"] = share_of(&Decomposition::grid);
  record[prefix + "dead_zone"] = share_of(&Decomposition::dead_zone);
}

/// The figures of a part, each name behind `prefix`.
void add_part(SweepInputKind kind, const SweepPart& part, const std::string& prefix,
              json::object& record) {
  const bool is_trace = kind == SweepInputKind::kTrace;
  record[prefix + (is_trace ? "gemms" : "tensors")] = part.items;
  add_agreement(part, prefix, record);
  if (!is_trace) {
    add_losses(part.a, prefix, record);
    add_shares(part.decomposition, prefix, record);
    return;
  }
  add_operand_figures(part.a, prefix + "a_", record);
  add_operand_figures(part.b, prefix + "b_", record);
  record[prefix + "cycles"] = optional_value(part.cycles);
}

void add_storage(SweepInputKind kind, const Storage& storage, json::object& record) {
  record["bits_per_value"] = rounded(storage.bits_per_value());
  if (kind == SweepInputKind::kTensors) {
    record["factor_bits"] = factor_sizes(storage.a);
    return;
  }
  record["a_bits_per_value"] = rounded(storage.a.bits_per_value());
  record["b_bits_per_value"] = rounded(storage.b.bits_per_value());
  record["a_factor_bits"] = factor_sizes(storage.a);
  record["b_factor_bits"] = factor_sizes(storage.b);
  record["macs_per_mac"] = rounded(storage.macs_per_mac());
}

std::string cell(const json::value& value) {
  if (value.is_null()) {
    return {};
  }
  return value.is_string() ? csv_field(std::string(value.as_string())) : json::serialize(value);
}

}  // namespace

json::value six_digits(const std::optional<double>& value) {
  return value ? json::value(std::stod(fmt::format("{:.5e}", *value))) : json::value(nullptr);
}

json::object point_record(const GridPoint& point) {
  if (point.scheme) {
    return {{"format", nullptr},
            {"preset", nullptr},
            {"correction", nullptr},
            {"residual", nullptr},
            {"scheme", point.scheme->name}};
  }
  return {{"format", point.preset.format.name},
          {"preset", point.preset.name},
          {"correction", point.correction.name},
          {"residual", name_of(point.residual)},
          {"scheme", nullptr}};
}

json::object row_record(SweepInputKind kind, const SweepRow& row) {
  json::object record = point_record(row.point);
  record["pareto"] = row.is_pareto;
  add_storage(kind, row.storage, record);
  add_part(kind, row.total, "", record);
  if (kind == SweepInputKind::kTrace) {
    record["cycles_note"] =
        row.cycles_note.empty() ? json::value(nullptr) : json::value(row.cycles_note);
    for (const SweepPart& part : row.parts) {
      add_part(kind, part, part.name + "_", record);
    }
  }
  return record;
}

json::array kind_records(const SweepRow& row) {
  json::array kinds;
  for (const SweepPart& part : row.parts) {
    json::object record{{"kind", part.name}};
    add_part(SweepInputKind::kTensors, part, "", record);
    kinds.push_back(std::move(record));
  }
  return kinds;
}

json::object skipped_record(const SkippedPoint& skipped) {
  json::object record = point_record(skipped.point);
  record["reason"] = skipped.reason;
  return record;
}

std::string csv_of(const std::vector<json::object>& records) {
  std::string text;
  const auto add_line = [&](const json::object& record, const auto& cell_of) {
    std::string line;
    for (const auto& member : record) {
      line += (line.empty() ? "" : ",") + cell_of(member);
    }
    text += line + "\n";
  };
  if (!records.empty()) {
    add_line(records.front(), [](const auto& member) { return std::string(member.key()); });
  }
  for (const json::object& record : records) {
    add_line(record, [](const auto& member) { return cell(member.value()); });
  }
  return text;
}

}  // namespace nibblecore::tb
