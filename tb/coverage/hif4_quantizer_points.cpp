// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/hif4_quantizer_points.hpp"

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

constexpr uint32_t kTwo = 0x40000000;  // FP32 bits
constexpr uint32_t kFour = 0x40800000;

/// Whether an input became infinite when it was rounded to BF16, or was not finite itself, does not
/// show behind the input stage: it gives NaN in place of the scale, and zeros.
Names maximum_names() {
  return {"zero", "subnormal", "below 7 * 2^-48", "in range", "49152 * 7 and above"};
}

size_t maximum_bin(uint32_t maximum) {
  const float value = bits_float(maximum);
  if (maximum < 0x00800000) {
    return maximum == 0 ? 0 : 1;
  }
  return value < std::ldexp(7.0F, -48) ? 2 : value < 49152.0F * 7 ? 3 : 4;
}

Names scale_names() {
  return {"00", "01 to 03", "M = 0", "M = 1", "M = 2", "M = 3", "FC, FD", "FE"};
}

size_t scale_bin(uint8_t code) {
  if (code < 4) {
    return code == 0 ? 0 : 1;
  }
  return code >= 0xFC ? (code == 0xFE ? 7 : 6) : size_t{2} + code % 4;
}

size_t against(uint32_t product, uint32_t threshold) {
  return product < threshold ? 0 : product == threshold ? 1 : 2;
}

std::vector<CoverBin> sign_bins() {
  std::vector<CoverBin> bins =
      bins_of(cross({"amct", "model_a6_rne"}, {"zero to +0", "-0 to -0", "positive to +0",
                                               "negative to -0", "positive", "negative"}));
  rule_out(bins, 1, 1, "this preset gives every zero the positive sign");
  return bins;
}

}  // namespace

Hif4QuantizerPoints::Hif4QuantizerPoints(Coverage& coverage)
    : circuits_(kHif4, coverage),
      maxima_(coverage.add(quantizer_group(kHif4), "maximum of a unit", bins_of(maximum_names()))),
      scales_(coverage.add(quantizer_group(kHif4), "level-1 scale", bins_of(scale_names()))),
      level2_(coverage.add(quantizer_group(kHif4), "level 2: product against 4",
                           bins_of({"below", "equal", "above"}))),
      level3_(coverage.add(
          quantizer_group(kHif4), "level 3: product against its threshold",
          bins_of(cross({"level 2 clear", "level 2 set"}, {"below", "equal", "above"})))),
      roundings_(coverage.add(
          quantizer_group(kHif4), "preset, micro-exponent, element",
          bins_of(cross(cross({"amct", "model_a6_rne"}, {"0", "1", "2"}), position_names())))),
      ties_(coverage.add(quantizer_group(kHif4), "element ties, in quarters",
                         bins_of(cross({"amct", "model_a6_rne"},
                                       {"0.5", "1.5", "2.5", "3.5", "4.5", "5.5", "6.5"})))),
      signs_(coverage.add(quantizer_group(kHif4), "signs", sign_bins())) {}

void Hif4QuantizerPoints::sample(const QuantizedSample& block, const hw::QuantizerJob& job) {
  circuits_.sample(block, false);
  maxima_.hit(maximum_bin(block.maximum));
  scales_.hit(scale_bin(block.scale));
  sample_decisions(block);
  sample_elements(block, std::get<Hif4Rule>(job.rule));
}

void Hif4QuantizerPoints::sample_decisions(const QuantizedSample& block) {
  constexpr size_t kEights = 8;
  constexpr size_t kQuads = 16;
  for (size_t group = 0; group < kEights; ++group) {
    level2_.hit(against(block.micro_products[group], kFour));
  }
  for (size_t group = 0; group < kQuads; ++group) {
    const bool set = ((block.level2 >> (group / 2)) & 1) != 0;
    level3_.hit((set ? 3U : 0U) +
                against(block.micro_products[kEights + group], set ? kFour : kTwo));
  }
}

void Hif4QuantizerPoints::sample_elements(const QuantizedSample& block, const Hif4Rule& rule) {
  const size_t preset = rule.zero_sign == ZeroSign::kKept ? 1 : 0;
  for (size_t i = 0; i < 64; ++i) {
    const uint8_t code = block.codes[i];
    const size_t negative = code >> 3;
    const size_t kind = block.magnitudes[i] == 0 ? 0 : (code & 7) == 0 ? 2 : 4;
    signs_.hit(preset * 6 + kind + negative);
    const int shift = block.micro_exponent(static_cast<int>(i));
    const double in_quarters =
        std::ldexp(static_cast<double>(bits_float(block.scaled[i])), 2 - shift);
    const Placed placed = place(in_quarters, quarters());
    roundings_.hit((preset * 3 + static_cast<size_t>(shift)) * kPositions +
                   static_cast<size_t>(placed.position));
    if (placed.position == Position::kTieEvenBelow || placed.position == Position::kTieOddBelow) {
      ties_.hit(preset * 7 + placed.code);
    }
  }
}

}  // namespace nibblecore::tb
