// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/redundancy.hpp"

#include <array>
#include <cstdint>

namespace nibblecore::tb {
namespace {

using hw::Site;

enum class Proof { kConstant, kIneffective };

/// Stuck bits of one site without an effect, in data of the formats with this scale.
struct Rule {
  Site site;
  ScaleKind scale;
  uint64_t at_0;  ///< bits that may be stuck at 0
  uint64_t at_1;
  int64_t first_index;  ///< instances from this one on
  Proof proof;
  std::string_view text;
};

constexpr uint64_t bits(int first, int last) {
  return ((uint64_t{1} << (last + 1)) - 1) & ~((uint64_t{1} << first) - 1);
}

constexpr ScaleKind kMx = ScaleKind::kE8m0;
constexpr ScaleKind kHi = ScaleKind::kHif4;
constexpr std::string_view kPowerOfTwo = "E8M0 significands are 1";
constexpr std::string_view kBothDense =
    "a NaN block of the operand makes the dense products of the same outputs NaN as well";
constexpr std::string_view kNoSubnormal =
    "no sum that HiF4 terms take part in is subnormal, or above the largest number";
constexpr std::string_view kShortProduct =
    "a product of 24 and 22 bits, normalised, ends in two zeros at least, an accumulator in 24";
constexpr std::string_view kFields = "compared with powers of two: only the exponent decides";

// In fault_machine(): two rows and columns, so that instance 4 of a bus [block, row] is row 0 of
// block 2, and instance 4 of one [block, row, column] block 1.
constexpr std::array<Rule, 25> kRules{{
    {Site::kAScaleSignificand, kMx, bits(1, 3), bits(0, 0), 0, Proof::kConstant, kPowerOfTwo},
    {Site::kBScaleSignificand, kMx, bits(1, 3), bits(0, 0), 0, Proof::kConstant, kPowerOfTwo},
    {Site::kScaleSignificand, kMx, bits(1, 7), bits(0, 0), 0, Proof::kConstant, kPowerOfTwo},
    {Site::kAScaleSignificand, kHi, bits(3, 3), bits(2, 2), 0, Proof::kConstant,
     "E6M2 significands are 4 to 7"},
    {Site::kBScaleSignificand, kHi, bits(3, 3), bits(2, 2), 0, Proof::kConstant,
     "E6M2 significands are 4 to 7"},
    {Site::kScaleSignificand, kHi, bits(6, 7), 0, 0, Proof::kConstant,
     "products of E6M2 significands are at most 49"},
    {Site::kDecoded, kMx, bits(0, 20), 0, 0, Proof::kConstant,
     "multiples of half of 2^-127, of at most two significant bits"},
    {Site::kDecoded, kHi, bits(0, 17), 0, 0, Proof::kConstant,
     "normal numbers of at most six significant bits"},
    {Site::kQuantizerShift, kMx, bits(9, 9), 0, 0, Proof::kConstant, "distances are 20 to 274"},
    {Site::kQuantizerKept, kHi, bits(3, 3), 0, 0, Proof::kConstant, "at most 7 quarters"},
    {Site::kQuantizerScaled, kHi, bits(31, 31), 0, 0, Proof::kConstant, "a magnitude"},
    {Site::kQuantizerReciprocal, kHi, bits(15, 15), 0, 0, Proof::kConstant, "a positive number"},
    {Site::kEpilogueHigh, kMx, bits(0, 1), 0, 0, Proof::kConstant, kShortProduct},
    {Site::kEpilogueLow, kMx, bits(0, 1), 0, 0, Proof::kConstant, kShortProduct},
    {Site::kEpilogueHigh, kHi, bits(0, 1), 0, 0, Proof::kConstant, kShortProduct},
    {Site::kEpilogueLow, kHi, bits(0, 1), 0, 0, Proof::kConstant, kShortProduct},
    {Site::kQuantizerShift, kMx, 0, bits(4, 4), 0, Proof::kIneffective,
     "distances below 32 have the bit, and all from 32 on leave nothing but a sticky bit"},
    {Site::kQuantizerShift, kHi, bits(8, 8), 0, 0, Proof::kIneffective,
     "only negative distances have the bit, and all of them saturate"},
    {Site::kQuantizerMicroProduct, kHi, bits(0, 22), bits(0, 22), 0, Proof::kIneffective, kFields},
    {Site::kLastExponent, kHi, bits(8, 9), 0, 0, Proof::kIneffective, kNoSubnormal},
    {Site::kKept, kHi, 0, bits(23, 23), 0, Proof::kIneffective, kNoSubnormal},
    {Site::kBScaleNan, kMx, bits(0, 0), 0, 4, Proof::kIneffective, kBothDense},
    {Site::kBScaleNan, kHi, bits(0, 0), 0, 2, Proof::kIneffective, kBothDense},
    {Site::kAScaleNan, kHi, bits(0, 0), 0, 2, Proof::kIneffective, kBothDense},
    {Site::kScaleNan, kHi, bits(0, 0), 0, 4, Proof::kIneffective, kBothDense},
}};

const Rule* find_rule(const Fault& fault, const BlockFormat& format) {
  const uint64_t bit = uint64_t{1} << fault.bit;
  for (const Rule& rule : kRules) {
    const uint64_t covered = fault.kind == FaultKind::kStuckAt0   ? rule.at_0
                             : fault.kind == FaultKind::kStuckAt1 ? rule.at_1
                                                                  : 0;
    if (rule.site == fault.site && rule.scale == format.scale && (covered & bit) != 0 &&
        fault.index >= rule.first_index) {
      return &rule;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<std::string_view> redundancy(const Fault& fault, const BlockFormat& format) {
  const Rule* rule = find_rule(fault, format);
  return rule == nullptr ? std::nullopt : std::optional(rule->text);
}

bool is_constant_bit(const Fault& fault, const BlockFormat& format) {
  const Rule* rule = find_rule(fault, format);
  return rule != nullptr && rule->proof == Proof::kConstant;
}

}  // namespace nibblecore::tb
