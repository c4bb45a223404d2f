// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/number_product.hpp"

#include <algorithm>

#include "model/common/bits.hpp"
#include "model/common/checked.hpp"
#include "tb/replay/output_panels.hpp"
#include "tb/replay/scaled_input.hpp"

namespace nibblecore::tb {
namespace {

MatrixView transposed(const MatrixView& view) {
  MatrixView result = view;
  std::swap(result.rows, result.k);
  std::swap(result.row_stride, result.k_stride);
  return result;
}

/// An operand after its treatment as numbers [rows, k].
class NumberOperand {
 public:
  NumberOperand(const MatrixView& input, const OperandTreatment& treatment, int threads)
      : input_(input, treatment.pre_scale), view_(input_.view()) {
    if (!treatment.recipe) {
      return;
    }
    const bool turned = treatment.axis == BlockAxis::kOther;
    const MatrixView blocked = turned ? transposed(input_.view()) : input_.view();
    values_.resize(
        static_cast<size_t>(checked_multiply(blocked.rows, blocked.k, "operand as numbers")));
    prepare_operand(blocked, *treatment.recipe, threads, values_.data());
    view_ = row_major_view(values_.data(), blocked.rows, blocked.k);
    compare(transformed_rows(blocked, *treatment.recipe));
    if (turned) {
      view_ = transposed(view_);
    }
  }

  const MatrixView& view() const { return view_; }
  const OperandStatistics& statistics() const { return statistics_; }

 private:
  void compare(const RowSource& inputs) {
    std::vector<float> row_values(static_cast<size_t>(view_.k));
    for (int64_t row = 0; row < view_.rows; ++row) {
      inputs(row, row_values.data());
      for (size_t i = 0; i < row_values.size(); ++i) {
        statistics_.agreement.add(row_values[i], values_[static_cast<size_t>(row * view_.k) + i]);
      }
    }
  }

  ScaledInput input_;
  std::vector<float> values_;
  MatrixView view_;
  OperandStatistics statistics_;
};

}  // namespace

NumberProduct number_product(const Operands& operands, const GemmTreatment& treatment,
                             int threads) {
  const NumberOperand a(operands.a, treatment.a, threads);
  const NumberOperand b(operands.b, treatment.b, threads);
  const double undo = 1.0 / (double{treatment.a.pre_scale} * double{treatment.b.pre_scale});
  const Operands numbers{a.view(), b.view()};
  const int64_t n = numbers.b.rows;
  const int64_t outputs = checked_multiply(numbers.a.rows, n, "outputs of a product of numbers");
  NumberProduct result{std::vector<uint32_t>(static_cast<size_t>(outputs)), a.statistics(),
                       b.statistics()};
  PanelProducts products;
  for (const TileBounds& panel : output_panels(numbers.a.rows, n, numbers.a.k)) {
    const std::vector<double>& product = products.truth(numbers, panel);
    for (int64_t row = 0; row < panel.rows; ++row) {
      const auto begin = product.begin() + row * panel.columns;
      std::transform(begin, begin + panel.columns,
                     result.bits.begin() + (panel.first_row + row) * n + panel.first_column,
                     [&](double value) { return float_bits(static_cast<float>(value * undo)); });
    }
  }
  return result;
}

}  // namespace nibblecore::tb
