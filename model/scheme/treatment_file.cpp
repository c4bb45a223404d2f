// SPDX-License-Identifier: Apache-2.0
#include "model/scheme/treatment_file.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "model/formats/named_record.hpp"
#include "model/scheme/operand_file.hpp"

namespace nibblecore {
namespace {

constexpr std::array<NamedValue<MacroEpilogue>, 2> kEpilogues{
    {{"fused", MacroEpilogue::kFused}, {"separate", MacroEpilogue::kSeparate}}};

FallbackSelection read_selection(const JsonNode& node) {
  node.require_keys({}, {"rows", "channels", "theta", "rate"});
  FallbackSelection selection;
  if (const auto rows = node.find("rows")) {
    selection.tiles.rows = rows->integer(1, int64_t{1} << 40);
  }
  if (const auto channels = node.find("channels")) {
    selection.tiles.channels = channels->integer(1, int64_t{1} << 40);
  }
  node.within([&] { require_fallback_tiles(selection.tiles); });
  if (const auto theta = node.find("theta")) {
    selection.theta = theta->single_number();
  }
  if (const auto rate = node.find("rate")) {
    selection.rate = rate->number();
    if (!(*selection.rate >= 0 && *selection.rate <= 1)) {
      rate->fail("is outside 0 to 1");
    }
  }
  if (selection.theta.has_value() == selection.rate.has_value()) {
    node.fail("needs either theta or rate");
  }
  return selection;
}

ResidualTreatment read_residual(const JsonNode& node) {
  node.require_keys({"pattern"}, {"build", "order", "alpha", "tiles"});
  ResidualTreatment residual;
  residual.pattern = node["pattern"].choice(kResidualPatterns).pattern;
  if (const auto build = node.find("build")) {
    residual.build = build->choice(kResidualBuilds).build;
  }
  if (const auto order = node.find("order")) {
    residual.order = order->choice(kResidualOrders).order;
  }
  if (const auto alpha = node.find("alpha")) {
    residual.alpha = alpha->single_number();
  }
  if (const auto tiles = node.find("tiles")) {
    if (residual.pattern != ResidualPattern::kDense) {
      tiles->fail("goes with the dense pattern");
    }
    residual.selection = read_selection(*tiles);
  }
  return residual;
}

const OperandTreatment& find_treatment(const JsonNode& node, const NamedTreatments& treatments) {
  const auto found = treatments.find(node.text());
  if (found == treatments.end()) {
    std::vector<std::string_view> names;
    for (const auto& [name, treatment] : treatments) {
      names.push_back(name);
    }
    node.fail("is '" + node.text() + "', no treatment of this scheme (" + joined(names) + ")");
  }
  return found->second;
}

bool same_hadamard(const OperandTreatment& a, const OperandTreatment& b) {
  const auto transform = [](const OperandTreatment& operand) {
    return operand.recipe ? operand.recipe->hadamard : std::nullopt;
  };
  const auto left = transform(a);
  const auto right = transform(b);
  return left.has_value() == right.has_value() &&
         (!left || (left->length == right->length && left->signs == right->signs));
}

}  // namespace

NamedTreatments read_named_treatments(const JsonNode& node) {
  NamedTreatments treatments{{"none", OperandTreatment{}}};
  for (const auto& [name, member] : node.members()) {
    if (name == "none") {
      member.fail("is a reserved name");
    }
    OperandTreatment treatment = read_operand(member);
    treatment.name = name;
    treatments.emplace(name, std::move(treatment));
  }
  return treatments;
}

GemmTreatment read_treatment(const JsonNode& rule, const NamedTreatments& treatments) {
  GemmTreatment treatment;
  treatment.a = find_treatment(rule["a"], treatments);
  treatment.b = find_treatment(rule["b"], treatments);
  if (const auto epilogue = rule.find("epilogue")) {
    treatment.epilogue = epilogue->choice(kEpilogues).value;
  }
  if (!same_hadamard(treatment.a, treatment.b)) {
    rule.fail(
        "transforms one operand by another Hadamard matrix than the other: the product would "
        "change");
  }
  if (const auto residual = rule.find("residual")) {
    treatment.residual = read_residual(*residual);
    if (treatment.has_residual() && !treatment.is_block_scaled()) {
      residual->fail("goes with two operands quantized along K in one format");
    }
  }
  return treatment;
}

}  // namespace nibblecore
