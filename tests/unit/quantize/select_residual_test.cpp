// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/select_residual.hpp"

#include <gtest/gtest.h>

#include "model/quantize/quantize.hpp"
#include "model/quantize/residual.hpp"
#include "model/quantize/sparsify.hpp"
#include "tests/unit/quantize/corrected_operands.hpp"

namespace nibblecore {
namespace {

class SelectResidual : public testing::Test {
 protected:
  static constexpr int64_t kRows = 5;
  static constexpr int64_t kK = 70;

  SelectResidual()
      : values(gaussian(kRows, kK, 40)),
        view(row_major_view(values.data(), kRows, kK)),
        main(quantize(view, preset(kMxfp4, ""), 1)),
        residual(quantize_residual(view, main, preset(kMxfp4, ""), 1)) {}

  std::vector<float> values;
  MatrixView view;
  PackedMatrix main;
  PackedMatrix residual;
};

TEST_F(SelectResidual, WithoutTilesIsThePattern) {
  for (const ResidualPatternRecord& record : kResidualPatterns) {
    if (record.pattern != ResidualPattern::kNone) {
      expect_same(select_residual(residual, {record.pattern, {}}, view_rows(view), 2),
                  sparsify(residual, record.pattern, 1), std::string(record.name));
    }
  }
  EXPECT_THROW(select_residual(residual, {ResidualPattern::kNone, {}}, view_rows(view), 1),
               InternalError);
}

// The operand's magnitudes decide, not the residual's, and beyond the pattern.
TEST_F(SelectResidual, TilesFollowTheOperandGiven) {
  std::vector<float> operand(values.size());
  operand[4 * kK + 69] = -3;  // tile (2, 1) of 2 x 64
  operand[2 * kK + 1] = 2;    // tile (1, 0)
  const RowSource rows = view_rows(row_major_view(operand.data(), kRows, kK));
  FallbackSelection tiles{{2, 64}, {}, {}};
  tiles.theta = 1.0F;
  const PackedMatrix above =
      select_residual(residual, {ResidualPattern::kTwoOfFour, tiles}, rows, 2);
  expect_same(above,
              keep_flagged_tiles(sparsify(residual, ResidualPattern::kTwoOfFour, 1), {2, 64},
                                 {0, 0, 1, 0, 0, 1}),
              "theta");
  tiles.theta.reset();
  tiles.rate = 0.2;
  expect_same(select_residual(residual, {ResidualPattern::kDense, tiles}, rows, 1),
              keep_flagged_tiles(residual, {2, 64}, {0, 0, 0, 0, 0, 1}), "rate");
}

}  // namespace
}  // namespace nibblecore
