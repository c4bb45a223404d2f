// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>

#include "model/common/bits.hpp"
#include "tb/fault/fault_stimuli.hpp"

namespace nibblecore::tb {
namespace {

constexpr int64_t kRows = 2;
constexpr int64_t kColumns = 48;
constexpr int kStimuli = 48;
constexpr int kOnes = 4;  // elements of A that are one unit; the others are the largest

/// A term for the adder: integer * 2^exponent.
struct Term {
  int32_t integer;
  int32_t exponent;
};

/// One block along K: A is fixed, B makes the terms, the start values are the other addend.
class AdderStimuli {
 public:
  AdderStimuli(const BlockFormat& format, uint64_t seed, FaultStimuli& stimuli)
      : format_(format),
        is_hif4_(format.scale == ScaleKind::kHif4),
        random_(seed),
        stimuli_(stimuli) {}

  void add_all() {
    for (int i = 0; i < kStimuli; ++i) {
      add(i % 4 == 3 ? OutputWidth::kBf16 : OutputWidth::kFp32);
    }
  }

 private:
  /// Values of the element codes 0 to 7 as integers: doubled, or quarters.
  int32_t value(int code) const {
    constexpr std::array<int32_t, 8> kDoubled{0, 1, 2, 3, 4, 6, 8, 12};
    return is_hif4_ ? code : kDoubled.at(static_cast<size_t>(code));
  }
  int32_t largest() const { return value(7); }
  int32_t most() const { return (format_.block - kOnes) * largest() * largest(); }

  int64_t between(int64_t least, int64_t last) {
    const uint64_t count = static_cast<uint64_t>(last - least) + 1;
    return count == 0 ? least : least + static_cast<int64_t>(random_() % count);
  }

  int32_t integer() {
    const auto top = static_cast<int32_t>(between(0, bit_width(static_cast<uint64_t>(most())) - 1));
    const int32_t power = 1 << top;
    switch (random_() % 4) {
      case 0:
        return power;
      case 1:
        return power + (1 << between(0, top));
      case 2:
        return power - 1;
      default:
        return static_cast<int32_t>(between(1, most()));
    }
  }

  /// A column of B whose products with A sum to the term, up to the sign.
  void fill_column(PackedMatrix& b, int64_t column, const Term& term, bool negative) {
    int32_t units = std::min(term.integer, most()) / largest();
    int32_t rest = std::min(term.integer, most()) % largest();
    const auto take = [&](int32_t& left) {
      int code = 7;
      while (value(code) > left) {
        --code;
      }
      left -= value(code);
      return static_cast<uint8_t>(code | (negative && code != 0 ? 8 : 0));
    };
    for (int64_t i = 0; i < format_.block; ++i) {
      set_packed_code(b.row_codes(column), i, take(i < kOnes ? rest : units));
    }
  }

  /// The scale code of B that gives the term's exponent, A's scale being 1.
  uint8_t scale_code(int32_t exponent) const {
    return is_hif4_ ? static_cast<uint8_t>((exponent + 4 + 48) << 2)
                    : static_cast<uint8_t>(exponent + 2 + 127);
  }

  Term term() {
    // Of the scales of one operand; HiF4's are few.
    const auto exponent = static_cast<int32_t>(is_hif4_ ? between(-52, 11) : between(-129, 124));
    return {integer(), exponent};
  }

  uint32_t start(const Term& term) {
    const uint32_t sign = random_() % 2 != 0 ? 0x80000000U : 0U;
    if (random_() % 8 == 0) {
      // Cancels it, or nearly.
      const float value = std::ldexp(static_cast<float>(term.integer), term.exponent);
      return (float_bits(value) + static_cast<uint32_t>(between(0, 2)) - 1) ^ sign;
    }
    if (random_() % 2 == 0) {
      // The term's top bit becomes the guard, of an even number: its other bits decide.
      const int64_t tie_field =
          term.exponent + bit_width(static_cast<uint64_t>(term.integer)) + 150;
      return sign | (static_cast<uint32_t>(std::clamp<int64_t>(tie_field, 1, 254)) << 23) |
             static_cast<uint32_t>(random_() & 0x7FFFFE);
    }
    constexpr std::array<uint32_t, 6> kFractions{0,        0x7FFFFF, 0x400000,
                                                 0x000001, 0x000002, 0x7FFFFE};
    uint32_t fraction = kFractions.at(random_() % kFractions.size());
    fraction = random_() % 2 == 0 ? fraction : static_cast<uint32_t>(random_() & 0x7FFFFF);
    fraction = random_() % 8 == 0 ? 1U << (random_() % 23) : fraction;
    // The last bit of the start value against that of the term; at the adder a HiF4 term has the
    // two scales' significands of 4 each, so four more bits.
    const int64_t same = is_hif4_ ? -4 : 0;
    const int64_t distance = random_() % 4 == 0 ? same + between(-1, 1) : between(-30, 30);
    const int64_t field = term.exponent + distance + 150;
    return sign | (static_cast<uint32_t>(std::clamp<int64_t>(field, 0, 254)) << 23) | fraction;
  }

  void add(OutputWidth width) {
    FaultOperand a;
    FaultOperand b;
    a.packed = make_packed_matrix(format_, kRows, format_.block);
    b.packed = make_packed_matrix(format_, kColumns, format_.block);
    std::vector<uint32_t> starts(static_cast<size_t>(kRows * kColumns));
    for (int64_t row = 0; row < kRows; ++row) {
      a.packed.row_scales(row)[0] = scale_code(is_hif4_ ? -4 : -2);
      for (int64_t i = 0; i < format_.block; ++i) {
        set_packed_code(a.packed.row_codes(row), i, i < kOnes ? 1 : 7);
      }
    }
    for (int64_t column = 0; column < kColumns; ++column) {
      const Term of_column = term();
      fill_column(b.packed, column, of_column, random_() % 2 != 0);
      b.packed.row_scales(column)[0] = scale_code(of_column.exponent);
      for (int64_t row = 0; row < kRows; ++row) {
        starts[static_cast<size_t>(row * kColumns + column)] = start(of_column);
      }
    }
    GemmSpec spec{kRows, kColumns, format_.block, format_};
    spec.output = width;
    stimuli_.push_back(std::make_unique<FaultStimulus>(
        "addends", spec, preset(format_, ""), std::move(a), std::move(b), std::move(starts)));
  }

  BlockFormat format_;
  bool is_hif4_;
  std::mt19937_64 random_;
  FaultStimuli& stimuli_;
};

}  // namespace

void add_adder_stimuli(const BlockFormat& format, uint64_t seed, FaultStimuli& stimuli) {
  AdderStimuli(format, seed, stimuli).add_all();
}

}  // namespace nibblecore::tb
