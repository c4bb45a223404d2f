// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/formats/packed_matrix.hpp"
#include "model/quantize/operand_recipe.hpp"
#include "tb/claims/claim_inputs.hpp"

namespace nibblecore::tb {

/// An operand of a GEMM along K, with the weights under which its errors count.
class ClaimOperand {
 public:
  /// Elements of a row under one weight.
  static constexpr int64_t kRun = 128;

  /// Values of a law with an octave phase for each macro block of 128, each of those weighed alike.
  ClaimOperand(const ClaimInputs& inputs, const Law& law);
  /// A trace's operand, weighed by 1 over its energy (0 where it has none).
  ClaimOperand(const ClaimInputs& inputs, const MatrixView& operand);

  const std::vector<float>& values() const { return values_; }
  int64_t rows() const { return rows_; }
  int64_t k() const { return k_; }
  int threads() const { return threads_; }
  MatrixView view() const { return row_major_view(values_.data(), rows_, k_); }

  /// Quantized and decoded as the recipe says.
  std::vector<float> decoded(const OperandRecipe& recipe) const;
  /// The weighed sum of error(index)^2 over all elements in row-major order.
  double squares(const std::function<double(size_t index)>& error) const;
  /// That of a decoded operand minus the values.
  double error_of(const std::vector<float>& decoded_values) const;
  /// Its error under s* = m / 6 in blocks of 32, without a rounding of the scale.
  double floor() const;

 private:
  int64_t rows_;
  int64_t k_;
  int threads_;
  std::vector<float> values_;
  std::vector<double> weights_;  ///< [rows, ceil(k / kRun)]
};

/// Operands whose errors are added up: those of a law, or a group of a trace's.
struct OperandSet {
  std::string data;
  FigureRole role;
  std::vector<std::function<ClaimOperand()>> operands;  ///< each made when its turn comes
};

/// Gaussian and t4, which decide, and the groups as context. Lives as long as `inputs`.
std::vector<OperandSet> operand_sets(const ClaimInputs& inputs);

/// The errors that `errors_of` gives of each operand, added up one by one.
std::vector<double> summed_errors(
    const OperandSet& set,
    const std::function<std::vector<double>(const ClaimOperand&)>& errors_of);

/// A matrix as FP32 values.
std::vector<float> dequantized(const PackedMatrix& matrix);

}  // namespace nibblecore::tb
