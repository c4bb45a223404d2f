// SPDX-License-Identifier: Apache-2.0
#include "model/scheme/treatment_file.hpp"

#include <array>
#include <string_view>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

template <typename Value>
struct Named {
  std::string_view name;
  Value value;
};

constexpr std::array<Named<BlockShape>, 2> kShapes{
    {{"row", BlockShape::kRow}, {"square", BlockShape::kSquare}}};
constexpr std::array<Named<BlockAxis>, 2> kAxes{
    {{"contraction", BlockAxis::kContraction}, {"other", BlockAxis::kOther}}};
constexpr std::array<Named<HadamardSigns>, 3> kSigns{
    {{"plus", HadamardSigns::kPlus},
     {"transformer_engine", HadamardSigns::kTransformerEngine},
     {"seeded", HadamardSigns::kSeeded}}};
constexpr std::array<Named<MacroSearch>, 2> kSearches{
    {{"static", MacroSearch::kStatic}, {"dynamic", MacroSearch::kDynamic}}};
constexpr std::array<Named<MacroEpilogue>, 2> kEpilogues{
    {{"fused", MacroEpilogue::kFused}, {"separate", MacroEpilogue::kSeparate}}};
constexpr std::array<Named<FirstStage>, 2> kFirstStages{
    {{"silent", FirstStage::kSilent}, {"noisy", FirstStage::kNoisy}}};

/// Runs `read`; an InputError of a function that knows no document becomes one of this field.
template <typename Read>
auto within(const JsonNode& node, const Read& read) {
  try {
    return read();
  } catch (const InputError& error) {
    node.fail(error.what());
  }
}

int small_integer(const JsonNode& node, int64_t least, int64_t most) {
  return static_cast<int>(node.integer(least, most));
}

Preset read_preset(const JsonNode& node) {
  const JsonNode format_node = node["format"];
  const BlockFormat& format = format_node.choice(kBlockFormats);
  Preset result = preset(format, "");
  if (const auto name = node.find("preset")) {
    result = within(*name, [&] { return preset(format, name->text()); });
  }
  if (const auto rule = node.find("scale_rule")) {
    if (format.name != kMxfp4.name || node.find("preset")) {
      rule->fail("goes with format mxfp4 and without a preset");
    }
    const ScaleRuleRecord& record = rule->choice(kScaleRules);
    if (!is_packable(record.rule)) {
      rule->fail("is '" + std::string(record.name) + "', which no block format holds");
    }
    result = mxfp4_preset(record.rule, Rounding::kNearestEven);
  }
  if (const auto rounding = node.find("rounding")) {
    result = within(*rounding,
                    [&] { return with_rounding(result, rounding->choice(kRoundings).rounding); });
  }
  return result;
}

HadamardTransform read_hadamard(const JsonNode& node) {
  node.require_keys({"length"}, {"signs"});
  HadamardTransform transform;
  transform.length = small_integer(node["length"], 16, 64);
  if (const auto signs = node.find("signs")) {
    transform.signs = signs->choice(kSigns).value;
  }
  within(node, [&] { require_hadamard(transform, 0); });
  return transform;
}

MacroBlockScaling read_macro(const JsonNode& node) {
  node.require_keys({"search"}, {"length", "mantissa_bits", "candidates"});
  MacroBlockScaling macro;
  macro.search = node["search"].choice(kSearches).value;
  if (const auto length = node.find("length")) {
    macro.length = length->integer(32, 512);
  }
  if (const auto bits = node.find("mantissa_bits")) {
    macro.mantissa_bits = small_integer(*bits, 1, 16);
  }
  if (const auto candidates = node.find("candidates")) {
    macro.candidates = small_integer(*candidates, 2, 64);
  }
  return macro;
}

/// Either {"sigma": s} or a schedule with the stage that the trace was taken in.
Noise read_noise(const JsonNode& node) {
  Noise noise;
  if (const auto sigma = node.find("sigma")) {
    node.require_keys({"sigma"});
    noise.sigma = sigma->number();
    if (noise.sigma < 0) {
      sigma->fail("is negative");
    }
    return noise;
  }
  node.require_keys({"start", "end", "stages", "stage"}, {"first"});
  NoiseSchedule schedule;
  schedule.start = node["start"].number();
  schedule.end = node["end"].number();
  schedule.stages = small_integer(node["stages"], 1, 1 << 20);
  if (const auto first = node.find("first")) {
    schedule.first = first->choice(kFirstStages).value;
  }
  noise.sigma = within(node, [&] {
    return noise_sigma(schedule, small_integer(node["stage"], 1, schedule.stages));
  });
  return noise;
}

OperandTreatment read_operand(const JsonNode& node) {
  node.require_keys({"format"}, {"preset", "scale_rule", "rounding", "shape", "axis", "pre_scale",
                                 "hadamard", "macro", "noise"});
  OperandTreatment treatment;
  OperandRecipe recipe;
  recipe.preset = read_preset(node);
  if (const auto shape = node.find("shape")) {
    recipe.choices.shape = shape->choice(kShapes).value;
  }
  if (is_stochastic(recipe.preset)) {
    recipe.choices.random = RandomStream{};
  }
  if (const auto hadamard = node.find("hadamard")) {
    recipe.hadamard = read_hadamard(*hadamard);
  }
  if (const auto macro = node.find("macro")) {
    recipe.macro = read_macro(*macro);
  }
  if (const auto noise = node.find("noise")) {
    recipe.noise = read_noise(*noise);
  }
  if (const auto axis = node.find("axis")) {
    treatment.axis = axis->choice(kAxes).value;
  }
  if (const auto scale = node.find("pre_scale")) {
    treatment.pre_scale = static_cast<float>(scale->number());
    if (!(treatment.pre_scale > 0)) {
      scale->fail("is not positive");
    }
  }
  // K is not known yet; a multiple of every length passes for it.
  within(node, [&] { require_recipe(recipe, 0); });
  treatment.recipe = std::move(recipe);
  return treatment;
}

FallbackSelection read_selection(const JsonNode& node) {
  node.require_keys({}, {"rows", "channels", "theta", "rate"});
  FallbackSelection selection;
  if (const auto rows = node.find("rows")) {
    selection.tiles.rows = rows->integer(1, int64_t{1} << 40);
  }
  if (const auto channels = node.find("channels")) {
    selection.tiles.channels = channels->integer(1, int64_t{1} << 40);
  }
  within(node, [&] { require_fallback_tiles(selection.tiles); });
  if (const auto theta = node.find("theta")) {
    selection.theta = static_cast<float>(theta->number());
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
    residual.alpha = static_cast<float>(alpha->number());
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
