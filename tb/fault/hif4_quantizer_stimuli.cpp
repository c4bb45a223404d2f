// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/hif4_quantizer_stimuli.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>

#include "hw/datapath/bf16_multiply.hpp"
#include "hw/datapath/hif4_quantizer.hpp"
#include "model/common/bits.hpp"
#include "tb/fault/block_stimuli.hpp"

namespace nibblecore::tb {
namespace {

constexpr size_t kUnit = 64;
constexpr int kFractionBits = 23;
constexpr float kAnchor = 7.0F;  // makes the scale 1, and is 7 quarters under both micro-exponents

/// The preset whose results follow from every bit: FP32 throughout, ties to even.
Preset exact_preset() {
  Preset result = preset(kHif4, "amct");
  result.name = "fp32";
  result.rule = Hif4Rule{Precision::kAsFp32, Precision::kAsFp32, Precision::kAsFp32,
                         Rounding::kNearestEven, ZeroSign::kKept};
  return result;
}

uint32_t signed_by(size_t i, uint32_t magnitude) {
  return magnitude | (i % 3 == 1 ? 0x80000000U : 0U);
}

/// Two neighbours in bit `bit` on the two sides of a threshold: the one that has the bit, and is at
/// least `threshold`, and the one that lacks it and is below. None where there are none.
std::optional<uint32_t> across(uint32_t threshold, int bit) {
  const uint32_t mask = 1U << bit;
  if ((threshold & mask) != 0) {
    return threshold;
  }
  // The least number from the threshold on that has the bit.
  const uint32_t upper = (threshold | mask) & ~(mask - 1);
  return (upper ^ mask) < threshold ? std::optional(upper) : std::nullopt;
}

/// The least magnitude in (low, high] for which `reaches`, monotone, holds.
uint32_t threshold(uint32_t low, uint32_t high, const std::function<bool(uint32_t)>& reaches) {
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    (reaches(middle) ? high : low) = middle;
  }
  return high;
}

class Hif4QuantizerStimuli {
 public:
  Hif4QuantizerStimuli(uint64_t seed, FaultStimuli& stimuli)
      : stimuli_(kHif4, seed, stimuli), rules_{exact_preset(), preset(kHif4, "")} {}

  void add_all() {
    for (int bit = 0; bit < kFractionBits; ++bit) {
      add_micro_thresholds(bit);
      add_scale_thresholds(bit);
    }
    add_ties();
    add_decoded_ties();
    add_saturated();
    add_distances();
    add_ranges();
  }

 private:
  using Values = std::function<uint32_t(size_t)>;

  static ValueBlock unit_of(const Values& values) {
    ValueBlock unit(kUnit);
    for (size_t i = 0; i < kUnit; ++i) {
      unit[i] = signed_by(i, values(i));
    }
    return unit;
  }

  static uint32_t scaled_down(uint32_t bits) { return bits - (7U << kFractionBits); }

  /// The unit 2^-7 as large, as the residual of one whose dense element at `anchor` hides nothing.
  static ValueBlock behind_anchor(const ValueBlock& unit, size_t anchor) {
    ValueBlock small(kUnit);
    for (size_t i = 0; i < kUnit; ++i) {
      small[i] = (unit[i] & 0x7FFFFFFF) == 0 ? unit[i] : scaled_down(unit[i]);
    }
    small[anchor % kUnit] = float_bits(kAnchor);
    return small;
  }

  void add_both(const std::string& name, const std::vector<ValueBlock>& units,
                const std::vector<ValueBlock>& residual) {
    if (units.empty()) {
      return;
    }
    for (const Preset& rule : rules_) {
      stimuli_.add_plain(name, rule, units);
      stimuli_.add_residual(name, rule, residual);
    }
  }

  /// Group maxima about 2 and 4 scales, under each of the four reciprocals.
  void add_micro_thresholds(int bit) {
    for (uint32_t mantissa = 0; mantissa < 4; ++mantissa) {
      const auto code = static_cast<uint8_t>((48U << 2) | mantissa);
      const uint16_t reciprocal = hw::hif4_reciprocal(code);
      const float scale = 1.0F + static_cast<float>(mantissa) / 4;
      const auto about = [&](float scales) {
        const uint32_t limit = float_bits(scales);
        return threshold(float_bits(scales * scale * 0.9F), float_bits(scales * scale * 1.1F),
                         [&](uint32_t m) { return hw::multiply_by_bf16(m, reciprocal) >= limit; });
      };
      for (const size_t group : {size_t{4}, size_t{8}}) {
        const std::optional<uint32_t> upper = across(about(group == 4 ? 2.0F : 4.0F), bit);
        if (!upper) {
          continue;
        }
        std::vector<ValueBlock> units;
        std::vector<ValueBlock> residual;
        for (const uint32_t value : {*upper, *upper ^ (1U << bit)}) {
          for (size_t place = 0; place < group; ++place) {
            for (const size_t anchor : {size_t{0}, kUnit - 1}) {
              units.push_back(unit_of([&](size_t i) {
                const bool beside = i / group == anchor / group;
                return (i == anchor          ? float_bits(kAnchor * scale)
                        : beside             ? float_bits(scale / 4)
                        : i % group == place ? value
                                             : float_bits(scale * 3 / 4));
              }));
              // In the group of the anchor, which has no threshold to test.
              residual.push_back(behind_anchor(units.back(), anchor ^ 1U));
            }
          }
        }
        add_both("micro-exponents, bit " + std::to_string(bit), units, residual);
      }
    }
  }

  /// Largest magnitudes about the thresholds between two scales.
  void add_scale_thresholds(int bit) {
    for (uint8_t code = 48U << 2; code < (49U << 2); ++code) {
      const uint32_t limit = threshold(float_bits(3.0F), float_bits(28.0F),
                                       [&](uint32_t m) { return hw::hif4_scale_code(m) > code; });
      const std::optional<uint32_t> upper = across(limit, bit);
      if (!upper) {
        continue;
      }
      std::vector<ValueBlock> units;
      std::vector<ValueBlock> residual;
      for (const uint32_t value : {*upper, *upper ^ (1U << bit)}) {
        for (size_t e = 0; e < kUnit; ++e) {
          units.push_back(unit_of([&](size_t i) {
            return i == e ? value : float_bits(0.25F * static_cast<float>(1 + i % 7));
          }));
          residual.push_back(behind_anchor(units.back(), e + kUnit / 2));
        }
      }
      add_both("scale, bit " + std::to_string(bit), units, residual);
      return;
    }
  }

  /// Elements on and just above the ties between quarters.
  void add_ties() {
    for (int bit = -1; bit < kFractionBits; ++bit) {
      const uint32_t above = bit < 0 ? 0 : 1U << bit;
      std::vector<ValueBlock> units;
      std::vector<ValueBlock> residual;
      for (size_t turn = 0; turn < 8; ++turn) {
        const size_t anchor = turn % 2 == 0 ? 0 : kUnit - 1;
        units.push_back(unit_of([&](size_t i) {
          const float tie = (0.5F + static_cast<float>((i + turn) % 7)) / 4;
          return i == anchor ? float_bits(kAnchor) : float_bits(tie) | above;
        }));
        residual.push_back(behind_anchor(units.back(), anchor ^ 1U));
      }
      add_both("ties and bit " + std::to_string(bit), units, residual);
    }
  }

  /// Elements that leave a residual on a tie when one is taken off.
  void add_decoded_ties() {
    std::vector<ValueBlock> units;
    for (size_t turn = 0; turn < 8; ++turn) {
      for (const float whole : {0.5F, 0.75F, 1.0F, 1.25F, 1.25F * 1.75F, 1.75F * 1.75F}) {
        const size_t anchor = turn % 2 == 0 ? 0 : kUnit - 1;
        const float scale = whole < 2 ? 1.0F : 1.75F;
        units.push_back(unit_of([&](size_t i) {
          const float tie = (0.5F + static_cast<float>((i + turn) % 7)) / 4 * 0x1p-7F;
          return float_bits(i == anchor                   ? kAnchor * scale
                            : i == (anchor ^ 8U)          ? whole + kAnchor * 0x1p-7F
                            : (i / 2 + turn / 2) % 2 == 0 ? whole + tie
                                                          : whole - tie);
        }));
      }
    }
    for (const Preset& rule : rules_) {
      stimuli_.add_residual("decoded elements beside ties", rule, units);
    }
  }

  /// Units beyond the largest scale, whose group maxima exceed 4 scales by one bit of the exponent.
  void add_saturated() {
    constexpr float kLargestScale = 49152.0F;
    for (int bit = 0; bit < 7; ++bit) {
      std::vector<ValueBlock> units;
      for (const size_t anchor : {size_t{0}, kUnit - 1}) {
        units.push_back(unit_of([&](size_t i) {
          // A quarter more, of which the quantized element takes less away.
          const float large = std::ldexp(1.25F * kLargestScale, 1 + (1 << bit));
          return float_bits(i == anchor ? 1.5F * large : large);
        }));
      }
      add_both("saturated units", units, units);
    }
  }

  /// Elements so far below the largest that one bit of the shift distance separates them from it.
  void add_distances() {
    for (const int below : {32, 64, 115}) {
      std::vector<ValueBlock> units;
      std::vector<ValueBlock> residual;
      for (const size_t anchor : {size_t{0}, kUnit - 1}) {
        units.push_back(unit_of([&](size_t i) {
          return float_bits(i == anchor ? kAnchor : std::ldexp(1.0F, -below));
        }));
        residual.push_back(behind_anchor(units.back(), anchor ^ 1U));
      }
      add_both("shift distances", units, residual);
    }
  }

  /// Units of every order of magnitude, subnormals, and elements far below the largest.
  void add_ranges() {
    for (int exponent = -148; exponent < 127; exponent += 9) {
      std::vector<ValueBlock> units;
      units.reserve(4);
      for (int turn = 0; turn < 4; ++turn) {
        units.push_back(unit_of([&](size_t i) {
          const int below = static_cast<int>(i % 8) * (turn == 0 ? 0 : turn * turn * 9 - 8);
          return float_bits(std::ldexp(1.0F + static_cast<float>(i % 7) / 8, exponent - below));
        }));
      }
      add_both("magnitudes of 2^" + std::to_string(exponent), units, units);
    }
  }

  BlockStimuli stimuli_;
  std::array<Preset, 2> rules_;
};

}  // namespace

void add_hif4_quantizer_stimuli(uint64_t seed, FaultStimuli& stimuli) {
  Hif4QuantizerStimuli(seed, stimuli).add_all();
}

}  // namespace nibblecore::tb
