// SPDX-License-Identifier: Apache-2.0
#include "tb/claims/claims_report.hpp"

#include <cmath>
#include <map>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "tb/replay/report_text.hpp"
#include "tb/version.hpp"

namespace nibblecore::tb {
namespace {

namespace json = boost::json;

std::string number_text(double value) {
  if (value == 0) {
    return "0";
  }
  // Four significant digits, but never fewer than a large whole number has.
  return std::fabs(value) >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string table_text(std::string text) {
  for (size_t bar = text.find('|'); bar != std::string::npos; bar = text.find('|', bar + 2)) {
    text.replace(bar, 1, "\\|");
  }
  return text;
}

/// "scale / total: **gaussian 1.738**, t4 1.517; ..."
std::string figures_text(const std::vector<Figure>& figures) {
  std::vector<std::string> names;
  std::map<std::string, std::string> values;
  for (const Figure& figure : figures) {
    std::string& of_name = values[figure.name];
    if (of_name.empty()) {
      names.push_back(figure.name);
    }
    const char* const mark = figure.role == FigureRole::kDecides ? "**" : "";
    of_name += fmt::format("{}{}{} {}{}", of_name.empty() ? "" : ", ", mark, figure.data,
                           number_text(figure.value), mark);
  }
  std::string text;
  for (const std::string& name : names) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", name, values[name]);
  }
  return text;
}

const char* role_name(FigureRole role) {
  switch (role) {
    case FigureRole::kDecides:
      return "decides";
    case FigureRole::kWidens:
      return "widens";
    case FigureRole::kContext:
      break;
  }
  return "context";
}

json::value bound(double value) {
  return std::isfinite(value) ? json::value(value) : json::value(nullptr);
}

json::value interval_json(const Interval& interval) {
  return json::array{bound(interval.low), bound(interval.high)};
}

json::value statement_json(const Statement& statement) {
  json::array figures;
  for (const Figure& figure : statement.figures) {
    figures.push_back(json::object{{"data", figure.data},
                                   {"name", figure.name},
                                   {"value", bound(rounded(figure.value))},
                                   {"role", role_name(figure.role)}});
  }
  return json::object{
      {"statement", statement.text},
      {"published", statement.published},
      {"holds_within", interval_json(statement.holds_within)},
      {"partly_within",
       statement.partly_within ? interval_json(*statement.partly_within) : json::value(nullptr)},
      {"figures_meet_it", statement.quantifier == Quantifier::kEvery ? "each" : "their range"},
      {"tolerance", rounded(statement.tolerance)},
      {"figures", figures},
      {"verdict", name_of(verdict(statement))}};
}

}  // namespace

std::string claims_table(const std::vector<Claim>& claims) {
  std::string table =
      "| # | claim | source | published | computed | tolerance | verdict |\n"
      "|--:|---|---|---|---|--:|---|\n";
  for (const Claim& claim : claims) {
    bool first = true;
    for (const Statement& statement : claim.statements) {
      table +=
          fmt::format("| {} | {}{} | {} | {} | {} | {} | {} |\n",
                      first ? std::to_string(claim.number) : std::string(),
                      first ? table_text(claim.title) + ": " : std::string(),
                      table_text(statement.text), first ? claim.source : std::string(),
                      table_text(statement.published), table_text(figures_text(statement.figures)),
                      number_text(statement.tolerance), name_of(verdict(statement)));
      first = false;
    }
  }
  return table;
}

void write_claims_json(std::ostream& out, const ClaimInputs& inputs,
                       const std::vector<Claim>& claims) {
  json::array list;
  for (const Claim& claim : claims) {
    json::array statements;
    for (const Statement& statement : claim.statements) {
      statements.push_back(statement_json(statement));
    }
    list.push_back(json::object{{"number", claim.number},
                                {"claim", claim.title},
                                {"source", claim.source},
                                {"statements", statements},
                                {"verdict", name_of(verdict(claim))}});
  }
  out << json::serialize(json::object{{"nibblecore", kVersion},
                                      {"values", inputs.values},
                                      {"seed", inputs.seed},
                                      {"claims", list}})
      << "\n";
}

}  // namespace nibblecore::tb
