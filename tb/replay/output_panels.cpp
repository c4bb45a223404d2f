// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/output_panels.hpp"

#include <algorithm>

#include "model/analysis/qdq.hpp"

namespace nibblecore::tb {
namespace {

// Larger panels decode fewer values again. An operand's panel has this many FP64 values (32 MiB),
// more only where K alone asks for it.
constexpr int64_t kPanelValues = int64_t{1} << 22;
constexpr int64_t kMostRows = 2048;
constexpr int64_t kMostColumns = 1024;
constexpr int64_t kFewest = 64;

int64_t panel_side(int64_t k, int64_t most) {
  return std::clamp(kPanelValues / std::max<int64_t>(k, 1), kFewest, most);
}

ProductShape shape_of(const TileBounds& panel, int64_t k) { return {panel.rows, panel.columns, k}; }

}  // namespace

std::vector<TileBounds> output_panels(int64_t m, int64_t n, int64_t k) {
  const int64_t rows = panel_side(k, kMostRows);
  const int64_t columns = panel_side(k, kMostColumns);
  std::vector<TileBounds> panels;
  for (int64_t row = 0; row < m; row += rows) {
    for (int64_t column = 0; column < n; column += columns) {
      panels.push_back({row, std::min(rows, m - row), column, std::min(columns, n - column)});
    }
  }
  return panels;
}

const std::vector<double>& PanelProducts::truth(const Operands& operands, const TileBounds& panel) {
  if (first_row64_ != panel.first_row) {
    widen_rows(operands.a, panel.first_row, panel.rows, a64_);
    first_row64_ = panel.first_row;
  }
  widen_rows(operands.b, panel.first_column, panel.columns, b64_);
  blas_product(shape_of(panel, operands.a.k), a64_, b64_, truth_);
  return truth_;
}

const std::vector<float>& PanelProducts::framework(const PackedProduct& product,
                                                   const TileBounds& panel) {
  const GemmCorrections& corrections = product.corrections();
  const ResidualOperand* const residual = corrections.residual;
  if (first_row32_ != panel.first_row) {
    dequantize_rows(product.a(), corrections.a_macro, panel.first_row, panel.rows, a32_);
    if (residual != nullptr) {
      dequantize_rows(residual->matrix, corrections.a_macro, panel.first_row, panel.rows,
                      residual32_);
    }
    first_row32_ = panel.first_row;
  }
  dequantize_rows(product.b(), corrections.b_macro, panel.first_column, panel.columns, b32_);
  const ProductShape shape = shape_of(panel, product.a().k);
  blas_product(shape, a32_, b32_, framework_);
  if (residual != nullptr) {
    blas_product(shape, residual32_, b32_, addend_);
    const float alpha = corrections.residual_alpha.value_or(1.0F);
    std::transform(framework_.begin(), framework_.end(), addend_.begin(), framework_.begin(),
                   [&](float sum, float addend) { return sum + alpha * addend; });
  }
  return framework_;
}

}  // namespace nibblecore::tb
