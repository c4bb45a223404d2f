// SPDX-License-Identifier: Apache-2.0
#include "model/scheme/scheme.hpp"

#include <algorithm>

#include <boost/json/value.hpp>

#include "model/common/error.hpp"
#include "model/common/json_node.hpp"
#include "model/common/named_file.hpp"
#include "model/common/strict_json.hpp"
#include "model/scheme/scheme_texts.hpp"
#include "model/scheme/treatment_file.hpp"

namespace nibblecore {
namespace {

GemmKind kind_of(const JsonNode& node) {
  const std::string name = node.text();
  const std::optional<GemmKind> kind = find_gemm_kind(name);
  if (!kind) {
    node.fail("is '" + name + "', not one of fprop, dgrad, wgrad");
  }
  return *kind;
}

SchemeRule read_rule(const JsonNode& node, const NamedTreatments& treatments) {
  node.require_keys({"a", "b"}, {"phase", "gemm", "layer", "residual", "epilogue"});
  SchemeRule rule;
  if (const auto phase = node.find("phase")) {
    rule.phase = phase->text();
  }
  if (const auto kind = node.find("gemm")) {
    rule.kind = kind_of(*kind);
  }
  if (const auto layer = node.find("layer")) {
    rule.layer = layer->text();
    rule.layer_pattern.emplace(rule.layer, layer->where());
  }
  rule.treatment = read_treatment(node, treatments);
  return rule;
}

std::vector<Scheme> parse_built_in() {
  std::vector<Scheme> schemes;
  for (const EmbeddedText& file : scheme_texts()) {
    schemes.push_back(parse_scheme(file.text, "built-in scheme " + std::string(file.name)));
  }
  return schemes;
}

}  // namespace

bool SchemeRule::matches(const GemmRecord& record) const {
  if (record.phase.rfind(phase, 0) != 0 || (kind && *kind != record.kind)) {
    return false;
  }
  return !layer_pattern || layer_pattern->is_in(record.layer);
}

const GemmTreatment& Scheme::treatment(const GemmRecord& record) const {
  static const GemmTreatment unquantized;
  const auto found = std::find_if(rules.begin(), rules.end(),
                                  [&](const SchemeRule& rule) { return rule.matches(record); });
  return found == rules.end() ? unquantized : found->treatment;
}

Scheme parse_scheme(std::string_view text, const std::string& place) {
  const boost::json::value document = parse_strict_json(text, place, 0);
  const JsonNode root(document, place);
  root.require_keys({"name", "description", "source", "confidence", "treatments", "rules"},
                    {"notes"});
  Scheme scheme;
  scheme.text = text;
  scheme.name = root["name"].name();
  scheme.description = root["description"].text();
  scheme.source = root["source"].text();
  scheme.confidence = root["confidence"].choice(kConfidences).confidence;
  if (const auto notes = root.find("notes")) {
    scheme.notes = notes->texts();
  }
  const NamedTreatments treatments = read_named_treatments(root["treatments"]);
  for (const JsonNode& rule : root["rules"].items()) {
    scheme.rules.push_back(read_rule(rule, treatments));
  }
  if (scheme.rules.empty()) {
    root["rules"].fail("is empty: the scheme would quantize nothing");
  }
  return scheme;
}

const std::vector<Scheme>& built_in_schemes() {
  static const std::vector<Scheme> schemes = parse_built_in();
  return schemes;
}

Scheme load_scheme(std::string_view name_or_path) {
  return load_named(
      NamedFileKind{"--scheme", "scheme", "a scheme file"}, built_in_schemes(), name_or_path,
      [](const Scheme& known) -> std::string_view { return known.name; }, parse_scheme);
}

}  // namespace nibblecore
