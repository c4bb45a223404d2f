// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/tensor_accuracy.hpp"

#include <algorithm>
#include <cmath>

#include "model/analysis/decompose.hpp"
#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/common/parallel.hpp"
#include "tb/replay/packed_product.hpp"
#include "tb/replay/treatment.hpp"

namespace nibblecore::tb {
namespace {

struct Sums {
  SignalToNoise noise;
  Agreement agreement;
};

/// Adds a row's values `q` to the sums with the `x` they stand for.
void add_row(const std::vector<float>& x, const std::vector<double>& q, Sums& sums) {
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::isfinite(x[i]) && std::isfinite(q[i])) {
      sums.noise.add(x[i], q[i]);
      sums.agreement.add(x[i], q[i]);
    }
  }
}

/// Values of a row: the operand's and, with its weight, the residual's.
class RowValues {
 public:
  explicit RowValues(const PackedProduct& product)
      : product_(product), part_(static_cast<size_t>(product.a().k)), values_(part_.size()) {}

  const std::vector<double>& row(int64_t row) {
    const GemmCorrections& corrections = product_.corrections();
    decode(product_.a(), row);
    std::copy(part_.begin(), part_.end(), values_.begin());
    if (corrections.residual != nullptr) {
      decode(corrections.residual->matrix, row);
      const double alpha = corrections.residual_alpha.value_or(1.0F);
      std::transform(values_.begin(), values_.end(), part_.begin(), values_.begin(),
                     [&](double main, float residual) { return main + alpha * residual; });
    }
    return values_;
  }

 private:
  void decode(const PackedMatrix& matrix, int64_t row) {
    const MacroScales* macro = product_.corrections().a_macro;
    decode_row(matrix, macro != nullptr ? *macro : none_, row, part_.data());
  }

  const PackedProduct& product_;
  const MacroScales none_;
  std::vector<float> part_;
  std::vector<double> values_;
};

Sums compare(const PackedProduct& product, const RowSource& inputs, int threads) {
  const int64_t rows = product.a().rows;
  // A fixed piece of rows has sums of its own, whatever the threads.
  const int64_t rows_a_piece = ceil_divide(rows, 256);
  const int64_t pieces = ceil_divide(rows, rows_a_piece);
  std::vector<Sums> partial(static_cast<size_t>(pieces));
  parallel_for(pieces, 1, threads, [&](int64_t first, int64_t last) {
    RowValues values(product);
    std::vector<float> x(static_cast<size_t>(product.a().k));
    for (int64_t piece = first; piece < last; ++piece) {
      const int64_t end = std::min(rows, (piece + 1) * rows_a_piece);
      for (int64_t row = piece * rows_a_piece; row < end; ++row) {
        inputs(row, x.data());
        add_row(x, values.row(row), partial[static_cast<size_t>(piece)]);
      }
    }
  });
  Sums sums;
  for (const Sums& each : partial) {
    sums.noise += each.noise;
    sums.agreement += each.agreement;
  }
  return sums;
}

/// Whether the tensor is quantized by its preset and gets no more than random bits.
bool is_decomposable(const GemmTreatment& treatment) {
  const OperandRecipe& recipe = *treatment.a.recipe;
  return !recipe.hadamard && !recipe.macro && recipe.choices.shape == BlockShape::kRow &&
         !treatment.has_residual();
}

}  // namespace

SweepPart tensor_accuracy(const ReplayOptions& options, const TensorInput& input,
                          const TensorOrdinals& ordinals, OperandStorage& storage) {
  const GemmTreatment both =
      with_streams(treatment_of(options, input.record), input.record, ordinals, options.seed, 0);
  GemmTreatment treatment = both;
  treatment.a = input.role == OperandRole::kWeight ? both.b : both.a;
  treatment.b = treatment.a;
  const OperandRecipe& recipe = *treatment.a.recipe;
  require_recipe(recipe, input.view.k);
  // The product takes two operands; one row is the least that the other may have.
  MatrixView other = input.view;
  other.rows = 1;
  const PackedProduct product(options, {input.view, other},
                              {input.view.rows, 1, input.view.k, recipe.preset.format}, treatment);
  const Sums sums = compare(product, transformed_rows(input.view, recipe), options.threads);
  SweepPart part;
  part.name = input.kind;
  part.items = 1;
  part.noise = sums.noise;
  part.agreement = sums.agreement;
  part.a = product.a_statistics();
  if (is_decomposable(treatment)) {
    part.decomposition =
        decompose(input.view, recipe.preset, options.threads, recipe.choices.random);
  }
  const MatrixSize size{input.view.rows, input.view.k};
  add_operand(treatment.a, input.view.type, size, 1, storage);
  if (treatment.has_residual()) {
    add_residual(treatment, size, 1, storage);
  }
  return part;
}

}  // namespace nibblecore::tb
