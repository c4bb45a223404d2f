// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <limits>

#include "model/emulate/dequantize_batch.hpp"
#include "model/emulate/dequantize_span.hpp"
#include "model/emulate/lane_dispatch.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/hif4_unit.hpp"

namespace nibblecore {
namespace {

using QuarterScales = std::array<float, 256>;

/// A quarter of what each E6M2 code stands for: the step of the elements.
const QuarterScales& quarter_scales() {
  static const QuarterScales scales = [] {
    QuarterScales values{};
    for (uint32_t code = 0; code < values.size(); ++code) {
      values[code] = code == kE6m2Nan ? std::numeric_limits<float>::quiet_NaN()
                                      : static_cast<float>(decode_double(kE6m2Format, code) / 4);
    }
    return values;
  }();
  return scales;
}

struct S1p2Decoder {
  template <int Width>
  [[gnu::always_inline]] static void decode(const typename QuantizeLanes<Width>::Int& codes,
                                            typename QuantizeLanes<Width>::Float& numbers) {
    const typename QuantizeLanes<Width>::Int magnitudes = codes & 7;
    QuantizeLanes<Width>::convert(magnitudes, numbers);
    set_signs<Width>(codes, numbers);
  }
};

/// Bits of the micro-exponents that each group of four heeds, in the order of the lanes that
/// QuantizeLanes::store_fours spreads.
struct GroupBits {
  std::array<int32_t, 16> level_2{};
  std::array<int32_t, 16> level_3{};
};

constexpr GroupBits group_bits(int width) {
  GroupBits bits;
  for (int lane = 0; lane < 16; ++lane) {
    const int in_vectors = lane % width;
    const int group = lane - in_vectors + in_vectors % 4 * (width / 4) + in_vectors / 4;
    bits.level_2[static_cast<size_t>(lane)] = 1 << (group / 2);
    bits.level_3[static_cast<size_t>(lane)] = 1 << group;
  }
  return bits;
}

template <int Width>
constexpr GroupBits kGroupBits = group_bits(Width);

struct Hif4Dequantizer {
  const float* quarter_scales;
  float tensor_scale;

  template <int Width>
  [[gnu::always_inline]] void run(const DequantizeSpan& span) const {
    constexpr int64_t kUnit = 64;
    std::array<float, kUnit> factors;
    for (int64_t first = 0; first < span.count; first += kUnit) {
      set_factors<Width>(span.scales + first / kUnit * kHif4ScaleBytes, factors.data());
      decode_batch<Width, 1, S1p2Decoder>(span.codes + first / 2, factors.data(), tensor_scale,
                                          span.values + first);
    }
  }

 private:
  /// What the quarters of each element are multiplied by.
  template <int Width>
  [[gnu::always_inline]] void set_factors(const uint8_t* scale, float* factors) const {
    using Lanes = QuantizeLanes<Width>;
    using Int = typename Lanes::Int;
    using Float = typename Lanes::Float;
    const int32_t level_2 = scale[1];
    const int32_t level_3 = scale[2] | (scale[3] << 8);
    for (int64_t first = 0; first < 16; first += Width) {
      Int bits_2;
      Int bits_3;
      Lanes::load(kGroupBits<Width>.level_2.data() + first, bits_2);
      Lanes::load(kGroupBits<Width>.level_3.data() + first, bits_3);
      const Int doubled_2 = (bits_2 & level_2) != 0;
      const Int doubled_3 = (bits_3 & level_3) != 0;
      Float factor = Float{} + 1.0F;
      add_where<Width>(doubled_2, factor);
      add_where<Width>(doubled_3, factor);
      factor *= quarter_scales[scale[0]];
      Lanes::store_fours(factor, factors + 4 * first);
    }
  }

  /// Doubles the lanes whose mask is all ones.
  template <int Width>
  [[gnu::always_inline]] static void add_where(const typename QuantizeLanes<Width>::Int& mask,
                                               typename QuantizeLanes<Width>::Float& lanes) {
    using Int = typename QuantizeLanes<Width>::Int;
    using Float = typename QuantizeLanes<Width>::Float;
    const Int addend = reinterpret_cast<Int>(lanes) & mask;
    lanes += reinterpret_cast<Float>(addend);
  }
};

}  // namespace

void dequantize_hif4_span(const DequantizeSpan& span, float tensor_scale, EmulatorTarget target) {
  const Hif4Dequantizer dequantizer{quarter_scales().data(), tensor_scale};
  LaneDispatch<Hif4Dequantizer>::run(target, span, dequantizer);
}

}  // namespace nibblecore
