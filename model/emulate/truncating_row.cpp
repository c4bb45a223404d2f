// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/truncating_row.hpp"

#include "model/emulate/lane_dispatch.hpp"
#include "model/emulate/lane_vectors.hpp"
#include "model/emulate/tell_losses.hpp"

namespace nibblecore {
namespace {

// Everything is done in FP64, whose range holds every product and its powers of two with room to
// spare. In units of the last bit that alignment keeps, terms are below 2^46 and the accumulator
// is below 2^36, so that each of them, cut to an integer, and all sums are exact.

template <int Width>
struct Lanes : LaneVectors<Width> {
  using typename LaneVectors<Width>::Double;
  using typename LaneVectors<Width>::Long;
  static constexpr int64_t kExponentBits = 0x7FF0000000000000;

  /// 2^floor(log2) of a magnitude; 0 of 0, infinity of what is not finite.
  [[gnu::always_inline]] static void power(const Double& number, Double& result) {
    result = reinterpret_cast<Double>(reinterpret_cast<Long>(number) & kExponentBits);
  }
  [[gnu::always_inline]] static void power(const Double& number, double least, Double& result) {
    power(number, result);
    result = result > least ? result : Double{} + least;
  }

  /// 2^bits / number, of a power of two.
  [[gnu::always_inline]] static void inverse(const Double& number, int bits, Double& result) {
    constexpr int64_t twice_one = int64_t{0x7FE} << 52;
    result = reinterpret_cast<Double>(twice_one - reinterpret_cast<Long>(number) +
                                      (int64_t{bits} << 52));
  }

  /// Cuts numbers below 2^51 to integers; `lost` gathers where something was cut off.
  [[gnu::always_inline]] static void cut(Double& number, Long& lost) {
    const Long sign = reinterpret_cast<Long>(number) & INT64_MIN;
    const Double magnitude = reinterpret_cast<Double>(reinterpret_cast<Long>(number) ^ sign);
    Double integer = (magnitude + 0x1p52) - 0x1p52;
    integer -= integer > magnitude ? Double{} + 1.0 : Double{};
    lost = integer < magnitude ? Long{} - 1 : lost;
    number = reinterpret_cast<Double>(reinterpret_cast<Long>(integer) | sign);
  }
};

template <bool kTells>
struct RowKernel {
  template <int Width>
  [[gnu::always_inline]] static void run(const TruncatingRow& row) {
    LossRow losses;
    for (int64_t column = 0; column < kStripColumns; column += Lanes<Width>::kHalf) {
      run_columns<Width>(row, column, losses);
    }
    if constexpr (kTells) {
      tell_losses<Width>(losses, row.truncation);
    }
  }

 private:
  template <int Width>
  using Double = typename Lanes<Width>::Double;
  template <int Width>
  using Long = typename Lanes<Width>::Long;

  /// The exponent of scales (in halves) as powers of two.
  template <int Width>
  [[gnu::always_inline]] static void scale_power(const TruncatingRow& row,
                                                 const Double<Width>& scale, Double<Width>& power) {
    Lanes<Width>::power(scale * 2.0, row.least_power, power);
    power = scale == 0.0 ? Double<Width>{} + row.rule.zero_scale_power : power;
  }

  /// The number behind a term, and the power of its exponent.
  template <int Width>
  [[gnu::always_inline]] static void term(const TruncatingRow& row, size_t index, int64_t column,
                                          Double<Width>& number, Double<Width>& power) {
    const int64_t block = row.terms.block[index];
    const Double<Width> a = Double<Width>{} + double{row.a_scales[block * kPanelRows]};
    Double<Width> b;
    Lanes<Width>::load_wide(row.b_scales + block * kStripColumns + column, b);
    typename Lanes<Width>::HalfInt sums;
    Lanes<Width>::load(row.terms.sums[index].data() + column, sums);
    Lanes<Width>::widen(sums, number);
    number *= a * b;
    Double<Width> a_power;
    Double<Width> b_power;
    scale_power<Width>(row, a, a_power);
    scale_power<Width>(row, b, b_power);
    Lanes<Width>::load_wide(row.terms.powers[index].data() + column, power);
    power *= a_power * b_power;
    power = power == 0.0 ? Double<Width>{} + row.rule.zero_power : power;
  }

  /// Cuts sums to FP32 numbers, or beyond them all.
  template <int Width>
  [[gnu::always_inline]] static void cut_to_fp32(const TruncatingRow& row, Double<Width>& sum,
                                                 Long<Width>& lost) {
    Double<Width> power;
    Double<Width> per_unit;
    Lanes<Width>::power(sum, 0x1p-126, power);
    Lanes<Width>::inverse(power, 23, per_unit);
    Double<Width> units = sum * per_unit;
    Lanes<Width>::cut(units, lost);
    sum = units * (power * 0x1p-23);
    sum = row.rule.keeps_minus ? sum : sum + 0.0;
    lost = sum * sum >= 0x1p256 ? Long<Width>{} - 1 : lost;
  }

  template <int Width>
  [[gnu::always_inline]] static void run_columns(const TruncatingRow& row, int64_t column,
                                                 LossRow& losses) {
    using L = Lanes<Width>;
    const auto count = static_cast<size_t>(row.terms.count);
    Double<Width> start;
    Lanes<Width>::load_wide(row.accumulators + column, start);
    const Long<Width> none{};
    const Long<Width> is_finite = start * start < 0x1p256 ? none - 1 : none;
    const Double<Width> accumulator =
        reinterpret_cast<Double<Width>>(reinterpret_cast<Long<Width>>(start) & is_finite);
    Double<Width> largest;
    L::power(accumulator, 0x1p-126, largest);
    largest = accumulator == 0.0 ? Double<Width>{} + row.rule.zero_power : largest;
    Double<Width> numbers[TruncatingTerms::kMost];
    for (size_t i = 0; i < count; ++i) {
      Double<Width> power;
      term<Width>(row, i, column, numbers[i], power);
      largest = power > largest ? power : largest;
    }
    Double<Width> per_unit;
    L::inverse(largest, row.rule.fraction_bits, per_unit);
    Long<Width> aligned_lost{};
    Double<Width> sum = accumulator * per_unit;
    L::cut(sum, aligned_lost);
    sum += 0.0;  // an accumulator of -0, or one that was cut to it
    for (size_t i = 0; i < count; ++i) {
      Double<Width> cut = numbers[i] * per_unit;
      L::cut(cut, aligned_lost);
      sum += cut;
    }
    Double<Width> unit;
    L::inverse(per_unit, 0, unit);
    sum *= unit;
    Long<Width> result_lost{};
    cut_to_fp32<Width>(row, sum, result_lost);
    // An infinity stays unless a NaN scale comes in.
    sum = start * start < 0x1p256 ? sum : start + sum * 0.0;
    L::store_rounded(sum, row.accumulators + column);
    if constexpr (kTells) {
      const Long<Width> bits =
          is_finite & ((aligned_lost & kAlignmentLoss) | (result_lost & kResultLoss));
      const Long<Width> told = sum == sum ? bits : none + kUntold;
      L::store(__builtin_convertvector(told, typename L::HalfInt), losses.data() + column);
    }
  }
};

}  // namespace

void add_truncated(const TruncatingRow& row, EmulatorTarget target) {
  if (row.truncation == nullptr) {
    LaneDispatch<RowKernel<false>>::run(target, row);
  } else {
    LaneDispatch<RowKernel<true>>::run(target, row);
  }
}

}  // namespace nibblecore
