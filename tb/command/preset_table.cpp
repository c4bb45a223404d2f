// SPDX-License-Identifier: Apache-2.0
#include "tb/command/preset_table.hpp"

#include <variant>
#include <vector>

#include "model/formats/preset.hpp"
#include "tb/replay/text_table.hpp"

namespace nibblecore::tb {
namespace {

std::string_view name_of(Precision precision) {
  switch (precision) {
    case Precision::kAsFp32:
      return "FP32";
    case Precision::kAsBf16:
      return "BF16";
    case Precision::kAsFp64:
      break;
  }
  return "FP64";
}

std::string_view name_of(Hif4Range range) {
  switch (range) {
    case Hif4Range::kClamped:
      return "clamped";
    case Hif4Range::kNan:
      return "NaN outside";
    case Hif4Range::kUnbounded:
      return "unbounded";
    case Hif4Range::kWraps:
      break;
  }
  return "wraps";
}

std::string_view name_of(Hif4NonFinite non_finite) {
  switch (non_finite) {
    case Hif4NonFinite::kCountAsZero:
      return "NaN unit, elements as 0";
    case Hif4NonFinite::kNanMaximum:
      return "NaN maximum";
    case Hif4NonFinite::kTakePart:
      return "take part";
    case Hif4NonFinite::kByComparison:
      break;
  }
  return "by comparison";
}

std::string_view name_of(Nvfp4ScaleRule rule) {
  switch (rule) {
    case Nvfp4ScaleRule::kFoldedSixth:
      return "A * (1/6 of the tensor's factor), FP32";
    case Nvfp4ScaleRule::kFourOverSix:
      return "4 or 6, the lesser absolute error";
    case Nvfp4ScaleRule::kFp64Sixth:
      return "A/6, FP64";
    case Nvfp4ScaleRule::kHalfUpSixth:
      break;
  }
  return "A/6, FP32, half up, 448 from 248 up";
}

/// What a preset says of rule, rounding and departures from the exact rule.
struct RuleText {
  std::string rule;
  std::string rounding;
  std::string departures;
};

struct Describe {
  RuleText operator()(const Mxfp4Rule& rule) const {
    return {std::string(nibblecore::name_of(rule.scale)),
            std::string(nibblecore::name_of(rule.rounding)), rule.quirks.names()};
  }

  RuleText operator()(const Hif4Rule& rule) const {
    const std::vector<std::string> parameters{
        "input " + std::string(name_of(rule.input)),
        "products " + std::string(name_of(rule.micro_product)),
        "elements " + std::string(name_of(rule.scaled_element)),
        "scale " + std::string(name_of(rule.range)),
        rule.zero_sign == ZeroSign::kKept ? "keeps -0" : "-0 to +0",
        "non-finite: " + std::string(name_of(rule.non_finite)),
        rule.half_addition == HalfAddition::kInFp32 ? "half added in FP32" : "",
        rule.scale_code_zero == ScaleCodeZero::kZero ? "scale code 00 is 0" : ""};
    std::string text;
    for (const std::string& parameter : parameters) {
      text += parameter.empty() ? "" : (text.empty() ? "" : ", ") + parameter;
    }
    return {rule.scale_rounding == Rounding::kNearestEven ? "A/7, E6M2 nearest even"
                                                          : "A/7, E6M2 half up",
            std::string(nibblecore::name_of(rule.rounding)), text};
  }

  RuleText operator()(const Nvfp4Rule& rule) const {
    const bool least = rule.element == Nvfp4ElementRule::kLeastFp32Error;
    return {std::string(name_of(rule.scale)),
            least ? "half_zero" : std::string(nibblecore::name_of(rule.rounding)),
            rule.tensor == Nvfp4TensorRule::kNone ? "no tensor scale" : ""};
  }
};

}  // namespace

std::string preset_table() {
  TextTable table(
      {"format", "preset", "also", "rule", "rounding", "departures", "meaning", "provenance"});
  for (const Preset& preset : presets()) {
    const RuleText text = std::visit(Describe{}, preset.rule);
    table.add_row({std::string(preset.format.name), preset.name, std::string(preset.alias),
                   text.rule, text.rounding, text.departures, std::string(preset.meaning),
                   std::string(preset.provenance)});
  }
  TextTable quirks({"mxfp4 departure", "meaning (A: the block's largest magnitude)"});
  for (const Mxfp4QuirkRecord& record : kMxfp4Quirks) {
    quirks.add_row({std::string(record.name), std::string(record.meaning)});
  }
  return table.text() + "\n" + quirks.text();
}

}  // namespace nibblecore::tb
