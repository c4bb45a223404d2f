// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/input_points.hpp"

#include <string>
#include <vector>

#include "model/common/bits.hpp"
#include "model/formats/fp32.hpp"

namespace nibblecore::tb {
namespace {

using Names = std::vector<std::string>;

const Names& classes() {
  static const Names names{"zero", "subnormal", "normal", "infinity", "NaN"};
  return names;
}

/// Magnitudes from half of the last bit above BF16's largest number on, which round to infinity.
constexpr uint32_t kBeyondBf16 = 0x7F7F8000;

std::vector<CoverBin> fp32_bins() {
  Names names = classes();
  names.emplace_back("beyond BF16");
  return bins_of(cross({"+", "-"}, names));
}

size_t class_of(uint32_t magnitude) {
  if (magnitude >= kFp32Infinity) {
    return magnitude == kFp32Infinity ? 3 : 4;
  }
  return magnitude == 0 ? 0 : magnitude < 0x00800000 ? 1 : 2;
}

}  // namespace

InputPoints::InputPoints(Coverage& coverage)
    : bf16_(coverage.add("inputs", "BF16 values", bins_of(cross({"+", "-"}, classes())))),
      fp32_(coverage.add("inputs", "FP32 values", fp32_bins())) {}

void InputPoints::sample(const MatrixView& operand) {
  const bool bf16 = operand.type == ValueType::kBf16;
  const size_t count = classes().size() + (bf16 ? 0 : 1);
  CoverPoint& point = bf16 ? bf16_ : fp32_;
  std::vector<float> row(static_cast<size_t>(operand.k));
  for (int64_t i = 0; i < operand.rows; ++i) {
    load_row(operand, i, row.data());
    for (const float value : row) {
      const uint32_t bits = float_bits(value);
      const uint32_t magnitude = bits & ~kFp32SignBit;
      const bool beyond = !bf16 && magnitude >= kBeyondBf16 && magnitude < kFp32Infinity;
      point.hit((bits >> 31) * count + (beyond ? count - 1 : class_of(magnitude)));
    }
  }
}

}  // namespace nibblecore::tb
