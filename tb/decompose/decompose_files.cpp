// SPDX-License-Identifier: Apache-2.0
#include "tb/decompose/decompose_files.hpp"

#include <string>
#include <type_traits>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "tb/decompose/figures.hpp"
#include "tb/replay/report_text.hpp"
#include "tb/version.hpp"

namespace nibblecore::tb {
namespace {

namespace json = boost::json;

struct CsvCell {
  std::string operator()(int64_t count) const { return std::to_string(count); }
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(const Figure::Ratio& ratio) const {
    return ratio.value ? fmt::format("{:.6f}", rounded(*ratio.value)) : "";
  }
  std::string operator()(const Figure::Amount& amount) const {
    return fmt::format("{}", amount.value);
  }
};

struct JsonValue {
  json::value operator()(int64_t count) const { return count; }
  json::value operator()(bool flag) const { return flag; }
  json::value operator()(const Figure::Ratio& ratio) const {
    return ratio.value ? json::value(rounded(*ratio.value)) : json::value(nullptr);
  }
  json::value operator()(const Figure::Amount& amount) const { return amount.value; }
};

std::string csv_line(std::string_view level, const DecomposedValues& values) {
  std::string line = fmt::format("{},{}", level, csv_field(values.name));
  for (const Figure& figure : figures_of(values)) {
    line += "," + std::visit(CsvCell{}, figure.value);
  }
  return line + "\n";
}

json::object record(const DecomposedValues& values) {
  json::object object{{"name", values.name}};
  for (const Figure& figure : figures_of(values)) {
    object[figure.name] = std::visit(JsonValue{}, figure.value);
  }
  return object;
}

std::vector<json::object> records(const std::vector<DecomposedValues>& list) {
  std::vector<json::object> objects;
  objects.reserve(list.size());
  for (const DecomposedValues& values : list) {
    objects.push_back(record(values));
  }
  return objects;
}

json::object configuration(const DecomposeOptions& options) {
  return {{"input", options.input.string()},
          {"format", options.preset.format.name},
          {"preset", options.preset.name},
          {"preset_meaning", options.preset.meaning},
          {"preset_provenance", options.preset.provenance},
          {"axis", options.axis},
          {"filter", options.filter},
          {"seed", options.seed}};
}

}  // namespace

void write_decompose_csv(std::ostream& out, const DecomposeResult& result) {
  out << "level,name";
  for (const Figure& figure : figures_of(result.total)) {
    out << "," << figure.name;
  }
  out << "\n";
  for (const DecomposedValues& tensor : result.tensors) {
    out << csv_line("tensor", tensor);
  }
  for (const DecomposedValues& kind : result.kinds) {
    out << csv_line("kind", kind);
  }
  out << csv_line("total", result.total);
}

void write_decompose_json(std::ostream& out, const DecomposeOptions& options,
                          const DecomposeResult& result) {
  out << "{\n \"configuration\": " << json::serialize(configuration(options))
      << ",\n \"versions\": " << json::serialize(json::object{{"nibblecore", kVersion}})
      << ",\n \"total\": " << json::serialize(record(result.total)) << ",\n \"kinds\": ";
  write_json_list(out, records(result.kinds));
  out << ",\n \"tensors\": ";
  write_json_list(out, records(result.tensors));
  out << "\n}\n";
}

}  // namespace nibblecore::tb
