// SPDX-License-Identifier: Apache-2.0
#include "model/scheme/operand_file.hpp"

#include <array>
#include <string>
#include <utility>

#include "model/formats/named_record.hpp"

namespace nibblecore {
namespace {

constexpr std::array<NamedValue<BlockShape>, 2> kShapes{
    {{"row", BlockShape::kRow}, {"square", BlockShape::kSquare}}};
constexpr std::array<NamedValue<BlockAxis>, 2> kAxes{
    {{"contraction", BlockAxis::kContraction}, {"other", BlockAxis::kOther}}};
constexpr std::array<NamedValue<HadamardSigns>, 3> kSigns{
    {{"plus", HadamardSigns::kPlus},
     {"transformer_engine", HadamardSigns::kTransformerEngine},
     {"seeded", HadamardSigns::kSeeded}}};
constexpr std::array<NamedValue<MacroSearch>, 2> kSearches{
    {{"static", MacroSearch::kStatic}, {"dynamic", MacroSearch::kDynamic}}};
constexpr std::array<NamedValue<FirstStage>, 2> kFirstStages{
    {{"silent", FirstStage::kSilent}, {"noisy", FirstStage::kNoisy}}};

int small_integer(const JsonNode& node, int64_t least, int64_t most) {
  return static_cast<int>(node.integer(least, most));
}

Preset read_preset(const JsonNode& node) {
  const JsonNode format_node = node["format"];
  const BlockFormat& format = format_node.choice(kBlockFormats);
  Preset result = preset(format, "");
  if (const auto name = node.find("preset")) {
    const std::string text = name->text();
    result = name->within([&] { return preset(format, text); });
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
    const Rounding wanted = rounding->choice(kRoundings).rounding;
    result = rounding->within([&] { return with_rounding(result, wanted); });
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
  node.within([&] { require_hadamard(transform, 0); });
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
  const int stage = small_integer(node["stage"], 1, schedule.stages);
  noise.sigma = node.within([&] { return noise_sigma(schedule, stage); });
  return noise;
}

}  // namespace

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
    treatment.pre_scale = scale->single_number();
    if (!(treatment.pre_scale > 0)) {
      scale->fail("is not positive");
    }
  }
  // K is not known yet; a multiple of every length passes for it.
  node.within([&] { require_recipe(recipe, 0); });
  treatment.recipe = std::move(recipe);
  return treatment;
}

}  // namespace nibblecore
