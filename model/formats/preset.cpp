// SPDX-License-Identifier: Apache-2.0
#include "model/formats/preset.hpp"

#include <algorithm>

#include "model/common/error.hpp"
#include "model/formats/named_record.hpp"

namespace nibblecore {
namespace {

constexpr std::string_view kTorchao = "pytorch/ao 36027d82, executed";

Preset exact_mxfp4(ScaleRule scale, std::string_view meaning, std::string_view provenance) {
  return {std::string(name_of(scale)),
          {},
          kMxfp4,
          Mxfp4Rule{scale, Rounding::kNearestEven, 0},
          meaning,
          provenance};
}

Preset torchao_mxfp4(std::string_view name, ScaleRule scale, std::string_view meaning) {
  // The peer converts the NaN quotients of a NaN block as if they were 1.5: code 3.
  return {std::string(name), {},      kMxfp4, Mxfp4Rule{scale, Rounding::kNearestEven, 3},
          meaning,           kTorchao};
}

std::array<Preset, 10> make_presets() {
  return {
      exact_mxfp4(ScaleRule::kRceil, "smallest power-of-two scale that clips nothing, nearest even",
                  "exact rule; reference pytorch/ao 36027d82 RCEIL but for largest magnitude "
                  "0x01400001, where its FP32 reciprocal slips"),
      exact_mxfp4(ScaleRule::kFloor, "exponent of the largest magnitude minus 2, nearest even",
                  "OCP MX v1.0, section 6.3; reference pytorch/ao 36027d82 FLOOR"),
      exact_mxfp4(ScaleRule::kCeil,
                  "exponent of the largest magnitude rounded up, minus 2, nearest even",
                  "exact rule; reference pytorch/ao 36027d82 CEIL"),
      exact_mxfp4(ScaleRule::kEven,
                  "exponent of the largest magnitude rounded to one mantissa bit, minus 2, "
                  "nearest even",
                  "exact rule; reference pytorch/ao 36027d82 EVEN but for largest magnitudes "
                  "from 0x7F600000 up, which overflow there"),
      exact_mxfp4(ScaleRule::kOas,
                  "exponent of the largest magnitude minus 2, one more above a significand of "
                  "1.75, nearest even",
                  "overflow-aware scaling, arXiv 2603.08713 (published)"),
      torchao_mxfp4("torchao_floor", ScaleRule::kFloor,
                    "floor, nearest even, code 3 under a NaN scale"),
      torchao_mxfp4("torchao_ceil", ScaleRule::kCeil,
                    "ceil, nearest even, code 3 under a NaN scale"),
      Preset{"amct",
             {},
             kHif4,
             Hif4Rule{Precision::kAsFp32, Precision::kAsFp32, Precision::kAsBf16,
                      Rounding::kNearestAway, ZeroSign::kPositive},
             "software reference: FP32 products, scaled elements in BF16, ties away from zero",
             "hicann/amct 2be20daf, executed"},
      Preset{"model_a6_rne", "a6", kHif4,
             Hif4Rule{Precision::kAsBf16, Precision::kAsBf16, Precision::kAsBf16,
                      Rounding::kNearestEven, ZeroSign::kKept},
             "hardware path: BF16 input and BF16 after every product, ties to even",
             "model of the Ascend A6 path, re-implemented from its sources"},
      Preset{"te_nvfp4",
             {},
             kNvfp4,
             Nvfp4Rule{},
             "UE4M3 scales under an FP32 tensor scale, nearest even",
             "NVIDIA/TransformerEngine, formula of its reference quantizer (published)"}};
}

}  // namespace

const std::array<Preset, 10>& presets() {
  static const std::array<Preset, 10> records = make_presets();
  return records;
}

const Preset& preset(const BlockFormat& format, std::string_view name) {
  std::string known;
  for (const Preset& candidate : presets()) {
    if (candidate.format.name != format.name) {
      continue;
    }
    if (name.empty() || candidate.name == name || candidate.alias == name) {
      return candidate;
    }
    known += (known.empty() ? "" : ", ") + candidate.name;
    if (!candidate.alias.empty()) {
      known += ", " + std::string(candidate.alias);
    }
  }
  throw InputError("--preset", "unknown preset '" + std::string(name) + "' of " +
                                   std::string(format.name) + " (known: " + known + ")");
}

Preset mxfp4_preset(ScaleRule scale, Rounding rounding) {
  Preset result = preset(kMxfp4, name_of(scale));
  if (rounding != Rounding::kNearestEven) {
    result.name += "+" + std::string(name_of(rounding));
    result.rule = Mxfp4Rule{scale, rounding, 0};
    result.meaning = "exact scale rule with an element rounding of choice";
    result.provenance = "exact rule";
  }
  return result;
}

ScaleRule scale_rule(std::string_view name) {
  return find_record(kScaleRules, name, "--scale-rule").rule;
}

Rounding rounding(std::string_view name) {
  return find_record(kRoundings, name, "--rounding").rounding;
}

std::string_view name_of(ScaleRule rule) {
  return std::find_if(kScaleRules.begin(), kScaleRules.end(),
                      [&](const ScaleRuleRecord& record) { return record.rule == rule; })
      ->name;
}

std::string_view name_of(Rounding rounding) {
  return std::find_if(kRoundings.begin(), kRoundings.end(),
                      [&](const RoundingRecord& record) { return record.rounding == rounding; })
      ->name;
}

}  // namespace nibblecore
