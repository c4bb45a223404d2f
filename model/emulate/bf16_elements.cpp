// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/bf16_elements.hpp"

#include <algorithm>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/e2m1.hpp"

namespace nibblecore {
namespace {

std::array<Bf16Elements, 256> make_elements(ScaleKind kind) {
  const ScaleNumbers& numbers = scale_numbers(kind);
  std::array<Bf16Elements, 256> elements{};
  for (size_t scale = 0; scale < elements.size(); ++scale) {
    for (size_t code = 0; code < kE2m1Doubled.size(); ++code) {
      const float product = static_cast<float>(kE2m1Doubled.at(code)) * numbers.at(scale);
      elements.at(scale).at(code) = static_cast<uint16_t>(float_bits(product) >> 16);
    }
  }
  return elements;
}

/// Scales that go with each other and need no look at the elements.
bool is_moderate(float scale) { return scale >= 0x1p-63F && scale <= 0x1p56F; }

/// Whether a code of the block is other than +0 and -0.
bool has_elements(const uint8_t* codes, int64_t bytes) {
  return std::any_of(codes, codes + bytes, [](uint8_t pair) { return (pair & 0x77) != 0; });
}

}  // namespace

const std::array<Bf16Elements, 256>& bf16_elements(ScaleKind kind) {
  static const auto e8m0 = make_elements(ScaleKind::kE8m0);
  static const auto ue4m3 = make_elements(ScaleKind::kUe4m3);
  switch (kind) {
    case ScaleKind::kE8m0:
      return e8m0;
    case ScaleKind::kUe4m3:
      return ue4m3;
    case ScaleKind::kHif4:
      break;
  }
  throw InternalError("no BF16 elements under this kind of scale");
}

ScaleRange range_of_elements(const PackedMatrix& matrix) {
  const ScaleNumbers& numbers = scale_numbers(matrix.format.scale);
  const int64_t bytes = matrix.format.block / 2;
  const int64_t blocks = matrix.blocks();
  std::array<bool, 256> is_used{};
  for (int64_t row = 0; row < matrix.rows; ++row) {
    const uint8_t* scales = matrix.row_scales(row);
    for (int64_t block = 0; block < blocks; ++block) {
      const uint8_t scale = scales[block];
      if (!is_used[scale] && (is_moderate(numbers[scale]) ||
                              has_elements(matrix.row_codes(row) + block * bytes, bytes))) {
        is_used[scale] = true;
      }
    }
  }
  ScaleRange range;
  for (size_t scale = 0; scale < is_used.size(); ++scale) {
    if (is_used.at(scale)) {
      range.include(numbers.at(scale));
    }
  }
  return range;
}

bool fits_bf16(const ScaleRange& a, const ScaleRange& b) {
  constexpr float smallest = 0x1p-126F;
  constexpr float largest = 0x1p124F;
  return a.smallest >= smallest && b.smallest >= smallest && a.largest <= largest &&
         b.largest <= largest && double{a.smallest} * double{b.smallest} >= double{smallest} &&
         double{a.largest} * double{b.largest} <= 0x1p112;
}

}  // namespace nibblecore
