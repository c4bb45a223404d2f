// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>

#include "model/common/bits.hpp"
#include "tb/fault/addend.hpp"
#include "tb/fault/fault_stimuli.hpp"

namespace nibblecore::tb {
namespace {

constexpr int64_t kRows = 2;
constexpr int64_t kColumns = 48;
constexpr int64_t kBlocks = 3;  // of a macro block; each makes eight bits of its sum
constexpr int kBlockBits = 8;
constexpr int kSumBits = 24;
constexpr int kStimuli = 48;
constexpr int kRounds = 24;
constexpr int64_t kOnes = 4;  // elements of A that are one unit; the others are the largest

/// What a product ends in: nothing in particular; a one, zeros and one last bit, under a greater
/// addend or alone; a one and zeros, above an addend far below.
enum class Ending { kAny, kBelowAddend, kAlone, kAboveAddend };

/// A positive FP16 number: significand * 2^exponent.
struct Factor {
  int64_t significand;
  int exponent;

  float value() const { return std::ldexp(static_cast<float>(significand), exponent); }
};

/// One macro block: its sum, the factors and the start value are what the epilogue's circuit gets.
class EpilogueStimuli {
 public:
  EpilogueStimuli(const BlockFormat& format, uint64_t seed, FaultStimuli& stimuli)
      : format_(format),
        is_hif4_(format.scale == ScaleKind::kHif4),
        random_(seed),
        stimuli_(stimuli) {}

  void add_all() {
    for (int i = 0; i < kStimuli; ++i) {
      add(Ending::kAny, 0, i % 4 == 3 ? MacroEpilogue::kSeparate : MacroEpilogue::kFused);
    }
    // Four columns have the same last bit: two instances of the circuit, for each row's factor.
    for (int i = 0; i < kRounds; ++i) {
      for (const Ending ending : {Ending::kBelowAddend, Ending::kBelowAddend, Ending::kBelowAddend,
                                  Ending::kAlone, Ending::kAboveAddend}) {
        add(ending, 0, MacroEpilogue::kFused);
        add(ending, static_cast<int>(kColumns) / 4, MacroEpilogue::kFused);
      }
    }
  }

 private:
  int64_t between(int64_t least, int64_t most) {
    return least + static_cast<int64_t>(random_() % static_cast<uint64_t>(most - least + 1));
  }

  std::vector<Factor> factors(int64_t count, Ending ending) {
    std::vector<Factor> result;
    for (int64_t i = 0; i < count; ++i) {
      if (ending != Ending::kAny) {
        result.push_back({between(1024, 2047) | 1, static_cast<int>(between(-20, -2))});
      } else if (random_() % 8 == 0) {
        result.push_back({between(1, 1023), -24});
      } else {
        result.push_back({random_() % 4 == 0 ? 1024 : between(1024, 2047),
                          static_cast<int>(between(-24, random_() % 2 == 0 ? 5 : -20))});
      }
    }
    return result;
  }

  int64_t any_sum() {
    const int64_t one = int64_t{1} << between(0, kSumBits - 1);
    const int64_t most = (int64_t{1} << kSumBits) - 1;
    switch (random_() % 13) {
      case 0:
        return 0;
      case 1:
      case 2:
      case 3:
        return one;
      case 4:
      case 5:
      case 6:
        return one | (int64_t{1} << (kSumBits - 1));
      default:
        return between(1, most);
    }
  }

  /// A sum whose product with an odd number of 22 bits ends so: it is that ending times the inverse
  /// of the number, modulo a power of two.
  int64_t sum_of(Ending ending, int64_t odd, int bit) {
    const auto low_bits = [](int64_t value) { return value & ((int64_t{1} << 30) - 1); };
    int64_t inverse = 1;
    for (int i = 0; i < 5; ++i) {
      inverse = low_bits(inverse * low_bits(2 - low_bits(odd * inverse)));
    }
    // A greater addend has one bit more above the guard.
    const int above_guard = ending == Ending::kBelowAddend ? 23 : 24;
    for (const int top : {45, 44, 43}) {
      const int guard = top - above_guard;
      const int64_t last =
          ending == Ending::kAboveAddend ? 0 : int64_t{1} << std::min(bit, guard - 1);
      const int64_t mask = (int64_t{2} << guard) - 1;
      const int64_t low = low_bits(inverse * ((int64_t{1} << guard) | last)) & mask;
      for (int64_t high = int64_t{1} << (kSumBits - 1); high < int64_t{1} << kSumBits;
           high += mask + 1) {
        const int64_t sum = high | low;
        if (sum < int64_t{1} << kSumBits &&
            bit_width(static_cast<uint64_t>(sum * odd)) == top + 1) {
          return sum;
        }
      }
    }
    return any_sum();
  }

  uint32_t start(Ending ending, double product) {
    const int top = product == 0 ? 0 : std::ilogb(product);
    const uint32_t sign = product < 0 ? 0x80000000U : 0U;
    switch (ending) {
      case Ending::kAny:
        return product == 0 && random_() % 2 == 0 ? 0 : random_addend(product, random_);
      case Ending::kBelowAddend:
        return sign | (static_cast<uint32_t>(top + 1 + 127) << 23) |
               static_cast<uint32_t>(random_() & 0x3FFFFF);
      case Ending::kAlone:
        return 0;
      case Ending::kAboveAddend:
        return static_cast<uint32_t>(top + 127 - between(44, 60)) << 23 |
               static_cast<uint32_t>(random_() & 0x80000000U);
    }
    return 0;
  }

  /// Values of the element codes 0 to 7 as integers: doubled, or quarters.
  int64_t value(int code) const {
    constexpr std::array<int64_t, 8> kDoubled{0, 1, 2, 3, 4, 6, 8, 12};
    return is_hif4_ ? code : kDoubled.at(static_cast<size_t>(code));
  }

  /// A block of B whose products with A's sum to `part`, up to the sign.
  void fill_block(PackedMatrix& b, int64_t column, int64_t block, int64_t part, bool negative) {
    int64_t units = part / value(7);
    int64_t rest = part % value(7);
    const auto take = [&](int64_t& left) {
      int code = 7;
      while (value(code) > left) {
        --code;
      }
      left -= value(code);
      return static_cast<uint8_t>(code | (negative && code != 0 ? 8 : 0));
    };
    for (int64_t i = 0; i < format_.block; ++i) {
      set_packed_code(b.row_codes(column), block * format_.block + i,
                      take(i < kOnes ? rest : units));
    }
  }

  /// A power of two, which takes the units of the elements off a block's sum.
  uint8_t scale_code(int exponent) const {
    return static_cast<uint8_t>(is_hif4_ ? (48 + exponent) << 2 : 127 + exponent);
  }

  PackedMatrix matrix(int64_t rows) const {
    return make_packed_matrix(format_, rows, kBlocks * format_.block);
  }

  void add(Ending ending, int first_bit, MacroEpilogue epilogue) {
    FaultOperand a;
    FaultOperand b;
    // Down to the subnormals.
    const auto scale = static_cast<int>(ending != Ending::kAny ? 0
                                        : is_hif4_ ? between(-48, random_() % 2 == 0 ? 8 : -47)
                                                   : between(-100, 90));
    const int of_b = ending == Ending::kAny && scale < 0
                         ? -static_cast<int>(between(scale < -46 ? 20 : 0, 24))
                         : 0;
    a.packed = matrix(kRows);
    b.packed = matrix(kColumns);
    for (int64_t row = 0; row < kRows; ++row) {
      for (int64_t i = 0; i < a.packed.k; ++i) {
        set_packed_code(a.packed.row_codes(row), i, i % format_.block < kOnes ? 1 : 7);
      }
      for (int64_t block = 0; block < kBlocks; ++block) {
        a.packed.row_scales(row)[block * format_.scale_bytes()] = scale_code(scale);
      }
    }
    const std::vector<Factor> of_rows = factors(kRows, ending);
    const std::vector<Factor> of_columns = factors(kColumns, ending);
    std::vector<uint32_t> starts(static_cast<size_t>(kRows * kColumns));
    for (int64_t column = 0; column < kColumns; ++column) {
      const Factor& of_column = of_columns[static_cast<size_t>(column)];
      const int64_t of_row = of_rows[static_cast<size_t>(column / 2 % kRows)].significand;
      const int64_t sum = ending == Ending::kAny ? any_sum()
                                                 : sum_of(ending, of_row * of_column.significand,
                                                          first_bit + static_cast<int>(column) / 4);
      const bool negative = random_() % 2 == 0;
      for (int64_t block = 0; block < kBlocks; ++block) {
        const auto shift = static_cast<int>(block) * kBlockBits;
        fill_block(b.packed, column, block, (sum >> shift) & 0xFF, negative);
        b.packed.row_scales(column)[block * format_.scale_bytes()] =
            scale_code(shift - kSumBits + of_b);
      }
      // Products of elements are in quarters (E2M1) or sixteenths (HiF4).
      const double tile = std::ldexp(static_cast<double>(negative ? -sum : sum),
                                     scale + of_b - kSumBits - (is_hif4_ ? 4 : 2));
      for (int64_t row = 0; row < kRows; ++row) {
        const double product = tile * static_cast<double>(of_column.value()) *
                               static_cast<double>(of_rows[static_cast<size_t>(row)].value());
        starts[static_cast<size_t>(row * kColumns + column)] = start(ending, product);
      }
      b.factors.push_back(of_column.value());
    }
    for (const Factor& of_row : of_rows) {
      a.factors.push_back(of_row.value());
    }
    GemmSpec spec{kRows, kColumns, a.packed.k, format_};
    spec.macro_length = 4 * int64_t{64};
    spec.macro_epilogue = epilogue;
    stimuli_.push_back(std::make_unique<FaultStimulus>("macro block's sum and addend", spec,
                                                       preset(format_, ""), std::move(a),
                                                       std::move(b), std::move(starts)));
  }

  BlockFormat format_;
  bool is_hif4_;
  std::mt19937_64 random_;
  FaultStimuli& stimuli_;
};

}  // namespace

void add_epilogue_stimuli(const BlockFormat& format, uint64_t seed, FaultStimuli& stimuli) {
  EpilogueStimuli(format, seed, stimuli).add_all();
}

}  // namespace nibblecore::tb
