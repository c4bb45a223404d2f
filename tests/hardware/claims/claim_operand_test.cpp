// SPDX-License-Identifier: Apache-2.0
#include "tb/claims/claim_operand.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/quantize/quantize.hpp"

namespace nibblecore::tb {
namespace {

ClaimInputs small_inputs() {
  ClaimInputs inputs;
  inputs.values = 8192;
  inputs.threads = 1;
  return inputs;
}

std::vector<float> waves(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(std::sin(3.0 * static_cast<double>(i)));
  }
  return values;
}

OperandRecipe rceil() {
  OperandRecipe recipe;
  recipe.preset = mxfp4_preset(ScaleRule::kRceil, Rounding::kNearestEven);
  return recipe;
}

TEST(ClaimOperand, OfATraceHasItsErrorsOverItsEnergy) {
  const std::vector<float> values = waves(150);
  const ClaimOperand operand(small_inputs(), row_major_view(values.data(), 1, 150));
  const double energy = operand.squares([&](size_t i) { return values[i]; });
  // FP64 sums of squares, each term weighed by the inverse of their sum: rounding keeps them
  // from 1.
  EXPECT_NEAR(energy, 1, 1e-12);
  const ScaleErrorSums expected =
      sweep_scales({view_rows(operand.view()), 1, 150, 32, {}},
                   {{SweepScale::kRoundedUp, 0}, {SweepScale::kUnlimited, 0}}, 1)[0];
  EXPECT_NEAR(operand.error_of(operand.decoded(rceil())), expected.relative_error(), 1e-12);
  const std::vector<float> zeros(64);
  const ClaimOperand empty(small_inputs(), row_major_view(zeros.data(), 2, 32));
  EXPECT_EQ(empty.squares([](size_t) { return 1.0; }), 0);
}

TEST(ClaimOperand, ReadsColumnMajorOperands) {
  const std::vector<float> values = waves(64);
  const ClaimOperand operand(small_inputs(), {values.data(), ValueType::kF32, 2, 32, 1, 2});
  EXPECT_EQ(operand.values()[1], values[2]);
  EXPECT_EQ(operand.values()[32], values[1]);
}

TEST(ClaimOperand, OfALawIsWeighedByItsPhases) {
  const ClaimInputs inputs = small_inputs();
  const Law& law = find_law("gaussian");
  const ClaimOperand operand(inputs, law);
  const SyntheticTensor tensor = phased_tensor(inputs, law, 128);
  EXPECT_EQ(operand.values(), tensor.values(1));
  double expected = 0;
  for (size_t i = 0; i < operand.values().size(); ++i) {
    const auto row = static_cast<int64_t>(i) / operand.k();
    const auto run = static_cast<int64_t>(i) % operand.k() / 128;
    expected += tensor.energy_weight(row, run) * std::pow(operand.values()[i], 2);
  }
  // The same FP64 sum in another order.
  EXPECT_NEAR(operand.squares([&](size_t i) { return operand.values()[i]; }), expected,
              1e-9 * expected);
}

TEST(ClaimOperand, FloorIsTheErrorUnderARealScale) {
  // Two macro blocks of 4 blocks; the second's maximum makes m / 6 a power of two, so that rceil
  // has no scale error in it.
  std::vector<float> values(256);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(i % 32 == 0 ? 6 : std::sin(static_cast<double>(i)));
  }
  const ClaimOperand operand(small_inputs(), row_major_view(values.data(), 1, 256));
  // Every maximum is 6, where both scales are the same: FP64 sums of the same errors in two orders.
  EXPECT_NEAR(operand.floor(), operand.error_of(operand.decoded(rceil())), 1e-12);
  for (size_t i = 0; i < values.size(); i += 32) {
    values[i] = 7;
  }
  const ClaimOperand other(small_inputs(), row_major_view(values.data(), 1, 256));
  EXPECT_LT(other.floor(), other.error_of(other.decoded(rceil())));
}

TEST(ClaimOperand, SetsAddUpTheirOperands) {
  const std::vector<float> first = waves(64);
  const std::vector<float> second = waves(96);
  ClaimInputs inputs = small_inputs();
  inputs.groups = {{"trace weights",
                    {row_major_view(first.data(), 2, 32), row_major_view(second.data(), 3, 32)}}};
  const std::vector<OperandSet> sets = operand_sets(inputs);
  ASSERT_EQ(sets.size(), 3);
  EXPECT_EQ(sets[0].data, "gaussian");
  EXPECT_EQ(sets[1].data, "t4");
  EXPECT_EQ(sets[1].role, FigureRole::kDecides);
  EXPECT_EQ(sets[2].data, "trace weights");
  EXPECT_EQ(sets[2].role, FigureRole::kContext);
  const std::vector<double> sums = summed_errors(sets[2], [](const ClaimOperand& operand) {
    return std::vector<double>{1.0 * static_cast<double>(operand.rows()), 10};
  });
  EXPECT_EQ(sums, (std::vector<double>{5, 20}));
}

}  // namespace
}  // namespace nibblecore::tb
