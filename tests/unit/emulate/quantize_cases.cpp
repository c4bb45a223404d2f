// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/emulate/quantize_cases.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/emulate/quantize.hpp"
#include "model/quantize/quantize.hpp"

namespace nibblecore {

std::vector<EmulatorTarget> available_targets() {
  std::vector<EmulatorTarget> targets;
  for (const EmulatorTargetRecord& record : kEmulatorTargets) {
    if (is_available(record.target)) {
      targets.push_back(record.target);
    }
  }
  return targets;
}

std::vector<Preset> emulated_presets() {
  std::vector<Preset> all{preset(kHif4, "amct"), preset(kHif4, "model_a6_rne"),
                          preset(kMxfp4, "torchao_floor"), preset(kMxfp4, "torchao_ceil")};
  for (const RoundingRecord& rounding : kDeterministicRoundings) {
    all.push_back(with_rounding(preset(kNvfp4, "te_nvfp4"), rounding.rounding));
    for (const ScaleRuleRecord& rule : kExponentRules) {
      all.push_back(mxfp4_preset(rule.rule, rounding.rounding));
    }
  }
  return all;
}

std::vector<Preset> main_presets() {
  return {preset(kMxfp4, ""), preset(kHif4, ""), preset(kHif4, "a6"), preset(kNvfp4, "")};
}

void expect_same_bits(const PackedMatrix& actual, const PackedMatrix& expected) {
  EXPECT_EQ(actual.format.name, expected.format.name);
  ASSERT_EQ(actual.rows, expected.rows);
  ASSERT_EQ(actual.k, expected.k);
  EXPECT_TRUE(float_bits(actual.tensor_scale) == float_bits(expected.tensor_scale) ||
              (std::isnan(actual.tensor_scale) && std::isnan(expected.tensor_scale)))
      << actual.tensor_scale << " and " << expected.tensor_scale;
  ASSERT_EQ(actual.scales.size(), expected.scales.size());
  ASSERT_EQ(actual.codes.size(), expected.codes.size());
  for (int64_t row = 0; row < expected.rows; ++row) {
    ASSERT_TRUE(
        std::equal(expected.row_scales(row), expected.row_scales(row + 1), actual.row_scales(row)))
        << "scales of row " << row;
    ASSERT_TRUE(
        std::equal(expected.row_codes(row), expected.row_codes(row + 1), actual.row_codes(row)))
        << "codes of row " << row;
  }
}

void expect_golden(const MatrixView& input, const Preset& preset) {
  const PackedMatrix golden = quantize(input, preset, 1);
  for (const EmulatorTarget target : available_targets()) {
    SCOPED_TRACE(preset.name + " on " + std::string(name_of(target)));
    expect_same_bits(emulate_quantize(input, preset, 1, target), golden);
  }
}

std::vector<uint32_t> random_bits(size_t count, std::mt19937& random) {
  std::vector<uint32_t> bits(count);
  for (uint32_t& value : bits) {
    value = static_cast<uint32_t>(random());
  }
  return bits;
}

std::vector<uint32_t> random_numbers(size_t count, size_t together, std::mt19937& random) {
  std::vector<uint32_t> bits(count);
  uint32_t exponent = 0;
  for (size_t i = 0; i < count; ++i) {
    exponent = i % together == 0 ? static_cast<uint32_t>(random() % 255) : exponent;
    // Small differences are more frequent: products of two.
    const auto below = static_cast<uint32_t>((random() % 5) * (random() % 5));
    const uint32_t own = exponent - std::min(exponent, below);
    // A third are short numbers, as thresholds are.
    const uint32_t kept = random() % 3 == 0 ? 0x807C0000 : 0x807FFFFF;
    bits[i] = (static_cast<uint32_t>(random()) & kept) | (own << 23);
  }
  return bits;
}

MatrixView view_of(const std::vector<uint32_t>& bits, int64_t rows, int64_t k) {
  return {bits.data(), ValueType::kF32, rows, k, k, 1};
}

}  // namespace nibblecore
