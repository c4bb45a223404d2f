// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/quantize_magnitude.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "model/emulate/lane_dispatch.hpp"
#include "model/emulate/quantize_lanes.hpp"

namespace nibblecore {
namespace {

struct MagnitudeSpan {
  const unsigned char* values;
  ValueType type;
  int64_t count;
  uint32_t* largest;
};

struct LargestMagnitude {
  template <int Width>
  [[gnu::always_inline]] void run(const MagnitudeSpan& span) const {
    if (span.type == ValueType::kBf16) {
      run<Width, ValueType::kBf16>(span);
    } else {
      run<Width, ValueType::kF32>(span);
    }
  }

 private:
  template <int Width, ValueType kType>
  [[gnu::always_inline]] static void raise_to_vector(const unsigned char* values, int64_t index,
                                                     typename QuantizeLanes<Width>::Int& largest) {
    typename QuantizeLanes<Width>::Int magnitudes;
    QuantizeLanes<Width>::template load_magnitudes<kType>(values, index, magnitudes);
    QuantizeLanes<Width>::raise(magnitudes, largest);
  }

  template <int Width, ValueType kType>
  [[gnu::always_inline]] static void run(const MagnitudeSpan& span) {
    using Lanes = QuantizeLanes<Width>;
    using Int = typename Lanes::Int;
    constexpr int64_t kValueBytes = kType == ValueType::kBf16 ? 2 : 4;
    const int64_t vectors = span.count / Width;
    Int largest{};
    Int others{};
    int64_t vector = 0;
    for (; vector + 2 <= vectors; vector += 2) {
      raise_to_vector<Width, kType>(span.values, vector, largest);
      raise_to_vector<Width, kType>(span.values, vector + 1, others);
    }
    std::array<unsigned char, size_t{2} * Width * kValueBytes> rest{};
    std::memcpy(rest.data(), span.values + vector * Width * kValueBytes,
                static_cast<size_t>((span.count - vector * Width) * kValueBytes));
    raise_to_vector<Width, kType>(rest.data(), 0, largest);
    raise_to_vector<Width, kType>(rest.data(), 1, others);
    Lanes::raise(others, largest);
    std::array<int32_t, Width> lanes;
    Lanes::store(largest, lanes.data());
    *span.largest = static_cast<uint32_t>(*std::max_element(lanes.begin(), lanes.end()));
  }
};

}  // namespace

uint32_t largest_span_magnitude(const unsigned char* values, ValueType type, int64_t count,
                                EmulatorTarget target) {
  uint32_t largest = 0;
  const MagnitudeSpan span{values, type, count, &largest};
  LaneDispatch<LargestMagnitude>::run(target, span);
  return largest;
}

}  // namespace nibblecore
