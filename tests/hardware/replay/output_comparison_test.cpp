// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/output_comparison.hpp"

#include <optional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "model/analysis/qdq.hpp"
#include "model/common/bits.hpp"
#include "tb/replay/output_panels.hpp"

namespace nibblecore::tb {
namespace {

// Just beyond two panels each way.
constexpr int64_t kM = 2049;
constexpr int64_t kN = 1027;
constexpr int64_t kK = 40;

/// Small integers, whose sums of products are exact in any order; 5 is none of E2M1's.
std::vector<float> integers(int64_t rows, uint32_t seed) {
  std::vector<float> values(static_cast<size_t>(rows * kK));
  for (float& value : values) {
    seed = seed * 1664525U + 1013904223U;
    value = static_cast<float>(static_cast<int>(seed >> 16) % 11 - 5);
  }
  return values;
}

TEST(OutputPanels, CoverEveryOutputOnce) {
  const std::vector<TileBounds> panels = output_panels(kM, kN, kK);
  EXPECT_EQ(panels.size(), 4);
  std::vector<int> covered(static_cast<size_t>(kM * kN));
  for (const TileBounds& panel : panels) {
    for (int64_t row = panel.first_row; row < panel.first_row + panel.rows; ++row) {
      for (int64_t column = panel.first_column; column < panel.first_column + panel.columns;
           ++column) {
        ++covered[static_cast<size_t>(row * kN + column)];
      }
    }
  }
  EXPECT_EQ(std::set<int>(covered.begin(), covered.end()), std::set<int>{1});
}

TEST(OutputPanels, LongRowsHaveSmallPanels) {
  const std::vector<TileBounds> panels = output_panels(100, 100, int64_t{1} << 40);
  ASSERT_EQ(panels.size(), 4);
  EXPECT_EQ(panels[3].first_row, 64);
  EXPECT_EQ(panels[3].rows, 36);
  EXPECT_EQ(output_panels(1, 1, 0).size(), 1);
}

class OutputComparisonTest : public testing::Test {
 protected:
  OutputComparisonTest() {
    options.preset = preset(kMxfp4, "");
    options.fidelity = Fidelity::kNumeric;
    for (OperandTreatment* const operand : {&treatment.a, &treatment.b}) {
      operand->recipe = OperandRecipe{};
      operand->recipe->preset = options.preset;
    }
    treatment.residual.pattern = ResidualPattern::kDense;
    treatment.residual.alpha = 0.5F;
    product.emplace(options, operands, GemmSpec{kM, kN, kK, kMxfp4}, treatment);
    // What the results are does not matter: the framework's, some of them changed.
    bits.resize(static_cast<size_t>(kM * kN));
    const std::vector<float> qdq = whole_framework();
    for (size_t i = 0; i < bits.size(); ++i) {
      bits[i] = float_bits(qdq[i]) + (i % 7 == 0 && qdq[i] != 0 ? i % 3 : 0);
    }
  }

  std::vector<float> whole_framework() const {
    std::vector<float> sum = qdq_product(product->a(), product->b());
    const auto residual = qdq_product(product->corrections().residual->matrix, product->b());
    for (size_t i = 0; i < sum.size(); ++i) {
      sum[i] += 0.5F * residual[i];
    }
    return sum;
  }

  std::vector<float> a = integers(kM, 1);
  std::vector<float> b = integers(kN, 2);
  Operands operands{row_major_view(a.data(), kM, kK), row_major_view(b.data(), kN, kK)};
  ReplayOptions options;
  GemmTreatment treatment;
  std::optional<PackedProduct> product;
  std::vector<uint32_t> bits;
};

TEST_F(OutputComparisonTest, MeetsTheWholeProductsOutputByOutput) {
  const std::vector<float> qdq = whole_framework();
  const std::vector<double> truth = exact_product(operands.a, operands.b);
  OutputComparison expected;
  for (size_t i = 0; i < bits.size(); ++i) {
    expected.qdq_ulp.add(bits[i], float_bits(qdq[i]));
    expected.signal_to_noise.add(truth[i], bits_float(bits[i]));
  }
  std::vector<double> kept;
  const OutputComparison found = compare_outputs(operands, &*product, bits, 1, &kept);
  EXPECT_EQ(kept, truth);
  EXPECT_EQ(found.qdq_ulp.max(), 2);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(found.qdq_ulp.bins()[i].count, expected.qdq_ulp.bins()[i].count) << i;
  }
  EXPECT_EQ(found.qdq_ulp.count(), bits.size());
  // Squares of integers: this sum is exact. The noise is not, changed results being no integers:
  // its FP64 sum depends on the order of panels.
  EXPECT_EQ(found.signal_to_noise.signal(), expected.signal_to_noise.signal());
  EXPECT_EQ(found.agreement.reference, expected.signal_to_noise.signal());
  EXPECT_NEAR(found.signal_to_noise.noise(), expected.signal_to_noise.noise(),
              1e-12 * expected.signal_to_noise.noise());
  EXPECT_GT(expected.signal_to_noise.noise(), 0);
}

TEST_F(OutputComparisonTest, IsTheSameOnAnyNumberOfThreads) {
  const OutputComparison one = compare_outputs(operands, &*product, bits, 1, nullptr);
  for (const int threads : {2, 3}) {
    const OutputComparison several = compare_outputs(operands, &*product, bits, threads, nullptr);
    EXPECT_EQ(several.signal_to_noise.noise(), one.signal_to_noise.noise());
    EXPECT_EQ(several.agreement.product, one.agreement.product);
    EXPECT_EQ(several.agreement.measured, one.agreement.measured);
    EXPECT_EQ(several.qdq_ulp.bins()[1].count, one.qdq_ulp.bins()[1].count);
  }
}

TEST_F(OutputComparisonTest, NumbersHaveNoFrameworkBesideThem) {
  const OutputComparison found = compare_outputs(operands, nullptr, bits, 1, nullptr);
  EXPECT_EQ(found.qdq_ulp.count(), 0);
  EXPECT_GT(found.signal_to_noise.signal(), 0);
}

}  // namespace
}  // namespace nibblecore::tb
