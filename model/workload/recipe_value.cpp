// SPDX-License-Identifier: Apache-2.0
#include "model/workload/recipe_value.hpp"

#include <string>

namespace nibblecore {
namespace {

constexpr int64_t kMostLength = int64_t{1} << 20;
constexpr double kMostSigma = 10;
constexpr double kMostExponent = 10;
constexpr double kLeastConcentration = 1e-3;
constexpr double kMostConcentration = 1e6;

double number_within(const JsonNode& node, double least, double most) {
  const double number = node.number();
  if (number < least || number > most) {
    node.fail("is " + std::to_string(number) + ", outside " + std::to_string(least) + " to " +
              std::to_string(most));
  }
  return number;
}

}  // namespace

LengthLaw read_length_law(const JsonNode& node) {
  const std::optional<JsonNode> name = node.find("law");
  if (!name) {
    node.fail("has no field \"law\"");
  }
  LengthLaw law;
  law.kind = name->choice(kLengthLaws).kind;
  if (law.kind == LengthLawKind::kFixed) {
    node.require_keys({"law", "tokens"});
    law.least = node["tokens"].integer(1, kMostLength);
    law.most = law.least;
    return law;
  }
  if (law.kind == LengthLawKind::kUniform) {
    node.require_keys({"law", "least", "most"});
  } else {
    node.require_keys({"law", "median", "sigma", "least", "most"});
    law.median = number_within(node["median"], 1, static_cast<double>(kMostLength));
    law.sigma = number_within(node["sigma"], 0, kMostSigma);
  }
  law.least = node["least"].integer(1, kMostLength);
  law.most = node["most"].integer(law.least, kMostLength);
  return law;
}

ExpertLaw read_expert_law(const JsonNode& node) {
  const std::optional<JsonNode> name = node.find("law");
  if (!name) {
    node.fail("has no field \"law\"");
  }
  ExpertLaw law;
  law.kind = name->choice(kExpertLaws).kind;
  switch (law.kind) {
    case ExpertLawKind::kEven:
      node.require_keys({"law"});
      break;
    case ExpertLawKind::kZipf:
      node.require_keys({"law", "exponent"}, {"tiers"});
      law.parameter = number_within(node["exponent"], 0, kMostExponent);
      break;
    case ExpertLawKind::kDirichlet:
      node.require_keys({"law", "concentration"}, {"tiers"});
      law.parameter = number_within(node["concentration"], kLeastConcentration, kMostConcentration);
      break;
  }
  if (const auto tiers = node.find("tiers")) {
    law.tiers = tiers->integer(1, kMostTokens);
  }
  return law;
}

std::vector<int64_t> read_decode_sizes(const JsonNode& node) {
  if (node.is_text()) {
    if (node.text() != "none") {
      node.fail("is neither \"none\" nor a list of sizes");
    }
    return {};
  }
  std::vector<int64_t> sizes;
  for (const JsonNode& item : node.items()) {
    sizes.push_back(item.integer(sizes.empty() ? 1 : sizes.back() + 1, kMostTokens));
  }
  return sizes;
}

int64_t read_attention(const JsonNode& node) {
  if (node.is_text()) {
    if (node.text() != "off") {
      node.fail("is neither \"off\" nor {\"multiple\": ...}");
    }
    return 0;
  }
  node.require_keys({"multiple"});
  return node["multiple"].integer(1, kMostTokens);
}

}  // namespace nibblecore
