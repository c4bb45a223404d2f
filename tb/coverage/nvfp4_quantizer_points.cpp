// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/nvfp4_quantizer_points.hpp"

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "model/common/bits.hpp"
#include "model/formats/fp32.hpp"
#include "tb/coverage/rounding_position.hpp"

namespace nibblecore::tb {
namespace {

enum ScaleBin : size_t {
  kOfZeroBlock,
  kUnderflow,
  kSubnormal,
  kLeastNormal,
  kNormal,
  kLargest,
  kHeld,
  kNan,
};

std::vector<std::string> scale_names() {
  return {"00 of a zero block",  "00 by underflow", "subnormal", "08, least normal", "normal", "7E",
          "7E, held from above", "7F (NaN)"};
}

/// Magnitudes of the UE4M3 codes 0x00 to 0x7E.
std::vector<double> ue4m3_magnitudes() {
  std::vector<double> magnitudes;
  for (int code = 0; code < 0x7F; ++code) {
    const int field = code >> 3;
    const int mantissa = code & 7;
    magnitudes.push_back(field == 0 ? std::ldexp(mantissa, -9)
                                    : std::ldexp(8 + mantissa, field - 10));
  }
  return magnitudes;
}

std::vector<CoverBin> scale_rounding_bins() {
  std::vector<std::string> positions = position_names();
  positions.pop_back();  // beyond the largest: among the scales
  return bins_of(cross({"subnormal", "normal"}, positions));
}

size_t factor_bin(uint32_t encode) {
  if (fp32_is_nan(encode)) {
    return 4;
  }
  if (encode == 0x3F800000) {
    return 0;
  }
  return encode == kFp32LargestFinite ? 3 : (encode & 0x7FFFFF) == 0 ? 1 : 2;
}

}  // namespace

Nvfp4QuantizerPoints::Nvfp4QuantizerPoints(Coverage& coverage)
    : circuits_(kNvfp4, coverage),
      factors_(coverage.add(
          quantizer_group(kNvfp4), "factor of the tensor",
          bins_of({"1", "another power of two", "another number", "largest FP32 number", "NaN"}))),
      scales_(coverage.add(quantizer_group(kNvfp4), "scale of a block", bins_of(scale_names()))),
      scale_roundings_(
          coverage.add(quantizer_group(kNvfp4), "rounding of the scale", scale_rounding_bins())),
      roundings_(coverage.add(quantizer_group(kNvfp4), "element", bins_of(position_names()))),
      ties_(coverage.add(quantizer_group(kNvfp4), "element ties at",
                         bins_of({"0.25", "0.75", "1.25", "1.75", "2.5", "3.5", "5"}))),
      signs_(coverage.add(quantizer_group(kNvfp4), "signs",
                          bins_of({"+0", "-0 to +0", "positive to +0", "negative to -0", "positive",
                                   "negative"}))) {}

void Nvfp4QuantizerPoints::sample(const QuantizedSample& block, const hw::QuantizerJob& job) {
  const auto& factors = std::get<hw::Nvfp4Factors>(job.rule);
  circuits_.sample(block, block.scale == 0x7F);
  factors_.hit(factor_bin(factors.encode));
  sample_scale(block, factors);
  for (size_t i = 0; i < static_cast<size_t>(block.block); ++i) {
    sample_element(block.magnitudes[i], block.scaled[i], block.codes[i]);
  }
}

void Nvfp4QuantizerPoints::sample_scale(const QuantizedSample& block,
                                        const hw::Nvfp4Factors& factors) {
  static const std::vector<double> magnitudes = ue4m3_magnitudes();
  constexpr float kOneSixth = 1.0F / 6.0F;
  if (block.scale == 0x7F) {
    scales_.hit(kNan);
    return;
  }
  // The host's FP32 arithmetic, not the circuit's.
  const float wanted = bits_float(block.maximum) * (bits_float(factors.encode) * kOneSixth);
  const Placed placed = place(static_cast<double>(wanted), magnitudes);
  if (placed.position == Position::kBeyond) {
    scales_.hit(kHeld);
    return;
  }
  scale_roundings_.hit((placed.code < 8 ? 0U : 5U) + static_cast<size_t>(placed.position));
  if (block.scale == 0) {
    scales_.hit(block.maximum == 0 ? kOfZeroBlock : kUnderflow);
  } else if (block.scale <= 8) {
    scales_.hit(block.scale < 8 ? kSubnormal : kLeastNormal);
  } else {
    scales_.hit(block.scale == 0x7E ? kLargest : kNormal);
  }
}

void Nvfp4QuantizerPoints::sample_element(uint32_t magnitude, uint32_t scaled, uint8_t code) {
  if (fp32_is_nan(scaled)) {
    return;
  }
  const size_t negative = scaled >> 31;
  const uint32_t size = scaled & ~kFp32SignBit;
  signs_.hit((magnitude == 0 ? 0U : (code & 7) == 0 ? 2U : 4U) + negative);
  const Placed placed = fp32_is_infinite(size)
                            ? Placed{Position::kBeyond, 7}
                            : place(static_cast<double>(bits_float(size)), e2m1_magnitudes());
  roundings_.hit(static_cast<size_t>(placed.position));
  if (placed.position == Position::kTieEvenBelow || placed.position == Position::kTieOddBelow) {
    ties_.hit(placed.code);
  }
}

}  // namespace nibblecore::tb
