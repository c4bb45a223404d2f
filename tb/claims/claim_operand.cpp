// SPDX-License-Identifier: Apache-2.0
#include "tb/claims/claim_operand.hpp"

#include <algorithm>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/formats/dequantize.hpp"
#include "model/quantize/quantize.hpp"

namespace nibblecore::tb {

ClaimOperand::ClaimOperand(const ClaimInputs& inputs, const Law& law) : threads_(inputs.threads) {
  const SyntheticTensor tensor = phased_tensor(inputs, law, kRun);
  rows_ = tensor.spec().rows;
  k_ = tensor.spec().k;
  values_ = tensor.values(threads_);
  for (int64_t row = 0; row < rows_; ++row) {
    for (int64_t run = 0; run * kRun < k_; ++run) {
      weights_.push_back(tensor.energy_weight(row, run));
    }
  }
}

ClaimOperand::ClaimOperand(const ClaimInputs& inputs, const MatrixView& operand)
    : rows_(operand.rows),
      k_(operand.k),
      threads_(inputs.threads),
      values_(static_cast<size_t>(checked_multiply(rows_, k_, "claims"))),
      weights_(static_cast<size_t>(rows_ * ceil_divide(k_, kRun)), 1.0) {
  for (int64_t row = 0; row < rows_; ++row) {
    load_row(operand, row, values_.data() + row * k_);
  }
  const double energy = squares([&](size_t i) { return static_cast<double>(values_[i]); });
  std::fill(weights_.begin(), weights_.end(), energy > 0 ? 1 / energy : 0);
}

std::vector<float> ClaimOperand::decoded(const OperandRecipe& recipe) const {
  std::vector<float> result(values_.size());
  prepare_operand(view(), recipe, threads_, result.data());
  return result;
}

double ClaimOperand::squares(const std::function<double(size_t)>& error) const {
  double sum = 0;
  size_t index = 0;
  auto weight = weights_.begin();
  for (int64_t row = 0; row < rows_; ++row) {
    for (int64_t begin = 0; begin < k_; begin += kRun) {
      double run_sum = 0;
      for (int64_t end = std::min(k_, begin + kRun), i = begin; i < end; ++i) {
        const double each = error(index++);
        run_sum += each * each;
      }
      sum += run_sum * *weight++;
    }
  }
  return sum;
}

double ClaimOperand::error_of(const std::vector<float>& decoded_values) const {
  return squares([&](size_t i) { return static_cast<double>(decoded_values[i]) - values_[i]; });
}

double ClaimOperand::floor() const {
  constexpr int kBlock = 32;
  const int64_t runs = ceil_divide(k_, kRun);
  const auto weight = [&](int64_t row, int64_t block) {
    return weights_[static_cast<size_t>(row * runs + block * kBlock / kRun)];
  };
  return sweep_scales({view_rows(view()), rows_, k_, kBlock, weight}, {{SweepScale::kUnlimited, 0}},
                      threads_)[0]
      .total;
}

std::vector<OperandSet> operand_sets(const ClaimInputs& inputs) {
  std::vector<OperandSet> sets;
  for (const char* const name : {"gaussian", "t4"}) {
    const Law& law = find_law(name);
    sets.push_back(
        {name, FigureRole::kDecides, {[&inputs, &law] { return ClaimOperand(inputs, law); }}});
  }
  for (const OperandGroup& group : inputs.groups) {
    OperandSet set{group.name, FigureRole::kContext, {}};
    for (const MatrixView& operand : group.operands) {
      set.operands.emplace_back([&inputs, operand] { return ClaimOperand(inputs, operand); });
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

std::vector<double> summed_errors(
    const OperandSet& set,
    const std::function<std::vector<double>(const ClaimOperand&)>& errors_of) {
  std::vector<double> sums;
  for (const auto& make : set.operands) {
    const std::vector<double> errors = errors_of(make());
    sums.resize(errors.size());
    std::transform(errors.begin(), errors.end(), sums.begin(), sums.begin(), std::plus<>());
  }
  return sums;
}

std::vector<float> dequantized(const PackedMatrix& matrix) {
  std::vector<float> values(static_cast<size_t>(matrix.rows * matrix.k));
  dequantize(matrix, values.data());
  return values;
}

}  // namespace nibblecore::tb
