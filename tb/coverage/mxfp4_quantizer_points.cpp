// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/mxfp4_quantizer_points.hpp"

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "model/common/bits.hpp"
#include "model/formats/fp32.hpp"
#include "tb/coverage/rounding_position.hpp"

namespace nibblecore::tb {
namespace {

using Names = std::vector<std::string>;

// In the order of the enumerations.
Names rule_names() { return {"rceil", "floor", "ceil", "even", "oas"}; }
Names rounding_names() { return {"rne", "half away", "half zero", "toward zero"}; }

constexpr uint32_t kHalf = 0x400000;           // of a binade: a significand of 1.5
constexpr uint32_t kThreeQuarters = 0x600000;  // 1.75

std::vector<CoverBin> threshold_bins() {
  return bins_of(cross(rule_names(), {"maximum at 1", "in (1, 1.5)", "at 1.5", "in (1.5, 1.75)",
                                      "at 1.75", "in (1.75, 2)"}));
}

size_t threshold_class(uint32_t fraction) {
  if (fraction == 0 || fraction == kHalf || fraction == kThreeQuarters) {
    return fraction == 0 ? 0 : fraction == kHalf ? 2 : 4;
  }
  return fraction < kHalf ? 1 : fraction < kThreeQuarters ? 3 : 5;
}

std::vector<CoverBin> clipping_bins() {
  std::vector<CoverBin> bins = bins_of(cross(rule_names(), {"6 scales at most", "saturated"}));
  const auto saturated = [](ScaleRule rule) { return static_cast<size_t>(rule) * 2 + 1; };
  rule_out(bins, saturated(ScaleRule::kRceil), saturated(ScaleRule::kRceil),
           "the maximum is at most 6 scales under rceil");
  rule_out(bins, saturated(ScaleRule::kCeil), saturated(ScaleRule::kCeil),
           "the maximum is at most 4 scales under ceil");
  return bins;
}

std::vector<CoverBin> rounding_bins() {
  Names positions = position_names();
  positions.pop_back();  // saturation is a point of its own
  return bins_of(cross(rounding_names(), positions));
}

std::vector<CoverBin> tie_bins() {
  return bins_of({"0.25", "0.75", "1.25", "1.75", "2.5", "3.5", "5"});
}

}  // namespace

Mxfp4QuantizerPoints::Mxfp4QuantizerPoints(Coverage& coverage)
    : circuits_(kMxfp4, coverage),
      maxima_(coverage.add(quantizer_group(kMxfp4), "maximum of a block",
                           bins_of({"zero", "subnormal", "field 1 (code held at 0)", "field 2",
                                    "fields 3 to 253", "field 254", "infinity", "NaN"}))),
      thresholds_(
          coverage.add(quantizer_group(kMxfp4), "scale rule, significand", threshold_bins())),
      clipping_(coverage.add(quantizer_group(kMxfp4), "scale rule, elements", clipping_bins())),
      roundings_(coverage.add(quantizer_group(kMxfp4), "rounding, element", rounding_bins())),
      ties_(coverage.add(quantizer_group(kMxfp4), "element ties at", tie_bins())),
      signs_(coverage.add(
          quantizer_group(kMxfp4), "signs",
          bins_of({"+0", "-0", "positive to +0", "negative to -0", "positive", "negative"}))),
      under_nan_(
          coverage.add(quantizer_group(kMxfp4), "code under a NaN scale", bins_of({"0", "3"}))) {}

void Mxfp4QuantizerPoints::sample(const QuantizedSample& block, const hw::QuantizerJob& job) {
  const auto& rule = std::get<Mxfp4Rule>(job.rule);
  const bool nan = block.scale == 0xFF;
  circuits_.sample(block, nan);
  sample_maximum(block, rule);
  if (nan) {
    under_nan_.hit(rule.code_under_nan == 0 ? 0 : 1);
    return;
  }
  for (size_t i = 0; i < static_cast<size_t>(block.block); ++i) {
    sample_element(block.magnitudes[i], block.codes[i], block.scale, rule);
  }
}

void Mxfp4QuantizerPoints::sample_maximum(const QuantizedSample& block, const Mxfp4Rule& rule) {
  const uint32_t field = block.maximum >> 23;
  const uint32_t fraction = block.maximum & 0x7FFFFF;
  if (field == 0xFF) {
    maxima_.hit(fraction == 0 ? 6 : 7);
    return;
  }
  if (field == 0) {
    maxima_.hit(fraction == 0 ? 0 : 1);
    return;
  }
  maxima_.hit(field == 254 ? 5 : field >= 3 ? 4 : field + 1);
  thresholds_.hit(static_cast<size_t>(rule.scale) * 6 + threshold_class(fraction));
}

void Mxfp4QuantizerPoints::sample_element(uint32_t magnitude, uint8_t code, uint8_t scale,
                                          const Mxfp4Rule& rule) {
  const size_t negative = code >> 3;
  if (magnitude == 0) {
    signs_.hit(negative);
    return;
  }
  signs_.hit(((code & 7) == 0 ? 2U : 4U) + negative);
  // A double holds every FP32 number over every power of two.
  const double scaled = std::ldexp(static_cast<double>(bits_float(magnitude)), 127 - scale);
  const Placed placed = place(scaled, e2m1_magnitudes());
  const bool beyond = placed.position == Position::kBeyond;
  clipping_.hit(static_cast<size_t>(rule.scale) * 2 + (beyond ? 1 : 0));
  if (beyond) {
    return;
  }
  roundings_.hit(static_cast<size_t>(rule.rounding) * (kPositions - 1) +
                 static_cast<size_t>(placed.position));
  if (placed.position == Position::kTieEvenBelow || placed.position == Position::kTieOddBelow) {
    ties_.hit(placed.code);
  }
}

}  // namespace nibblecore::tb
