// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <limits>

#include "model/common/error.hpp"
#include "model/emulate/dequantize_batch.hpp"
#include "model/emulate/dequantize_span.hpp"
#include "model/emulate/lane_dispatch.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/number_format.hpp"
#include "model/formats/ue4m3.hpp"

namespace nibblecore {
namespace {

using ScaleValues = std::array<float, 256>;

/// All are FP32 numbers, 2^-127 a subnormal one, or NaN.
ScaleValues scale_values(const NumberFormat& format) {
  ScaleValues values{};
  for (uint32_t code = 0; code < values.size(); ++code) {
    values[code] = decode(format, code).is_nan ? std::numeric_limits<float>::quiet_NaN()
                                               : static_cast<float>(decode_double(format, code));
  }
  return values;
}

const ScaleValues& scale_values(ScaleKind kind) {
  static const ScaleValues e8m0 = scale_values(kE8m0Format);
  static const ScaleValues ue4m3 = scale_values(kUe4m3Format);
  return kind == ScaleKind::kE8m0 ? e8m0 : ue4m3;
}

struct E2m1Decoder {
  /// Read as exponent and mantissa, x is right for normal codes, and above 1 or equal; those of the
  /// subnormal 0 and 0.5 read as 0.5 and 0.75, for which 2 * x - 1 is right and the lesser.
  template <int Width>
  [[gnu::always_inline]] static void decode(const typename QuantizeLanes<Width>::Int& codes,
                                            typename QuantizeLanes<Width>::Float& numbers) {
    using Lanes = QuantizeLanes<Width>;
    using Int = typename Lanes::Int;
    using Float = typename Lanes::Float;
    constexpr int32_t kBitsOfHalf = 126 << 23;
    Int bits = ((codes & 7) << 22) + kBitsOfHalf;
    const Float read = reinterpret_cast<Float>(bits);
    const Float subnormal = read + (read - 1.0F);
    Lanes::lower(reinterpret_cast<Int>(subnormal), bits);
    numbers = reinterpret_cast<Float>(bits);
    set_signs<Width>(codes, numbers);
  }
};

template <int kBlock>
struct E2m1Dequantizer {
  const float* scale_values;
  float tensor_scale;

  template <int Width>
  [[gnu::always_inline]] void run(const DequantizeSpan& span) const {
    constexpr int64_t kBatch = 64;
    constexpr int64_t kBlocks = kBatch / kBlock;
    std::array<float, kBlocks> factors;
    for (int64_t first = 0; first < span.count; first += kBatch) {
      for (int64_t block = 0; block < kBlocks; ++block) {
        factors[static_cast<size_t>(block)] = scale_values[span.scales[first / kBlock + block]];
      }
      decode_batch<Width, kBlock, E2m1Decoder>(span.codes + first / 2, factors.data(), tensor_scale,
                                               span.values + first);
    }
  }
};

template <int kBlock>
void dequantize(const DequantizeSpan& span, ScaleKind scale, float tensor_scale,
                EmulatorTarget target) {
  const E2m1Dequantizer<kBlock> dequantizer{scale_values(scale).data(), tensor_scale};
  LaneDispatch<E2m1Dequantizer<kBlock>>::run(target, span, dequantizer);
}

}  // namespace

void dequantize_e2m1_span(const DequantizeSpan& span, const BlockFormat& format, float tensor_scale,
                          EmulatorTarget target) {
  switch (format.block) {
    case 16:
      return dequantize<16>(span, format.scale, tensor_scale, target);
    case 32:
      return dequantize<32>(span, format.scale, tensor_scale, target);
    case 64:
      return dequantize<64>(span, format.scale, tensor_scale, target);
    default:
      throw InternalError("E2M1 blocks are of 16, 32 or 64");
  }
}

}  // namespace nibblecore
