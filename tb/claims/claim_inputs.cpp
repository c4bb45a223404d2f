// SPDX-License-Identifier: Apache-2.0
#include "tb/claims/claim_inputs.hpp"

#include <cmath>

#include "model/quantize/quantize.hpp"

namespace nibblecore::tb {

double sampling_tolerance(const ClaimInputs& inputs, double deviation) {
  return 4 * deviation * std::sqrt(0x1p21 / static_cast<double>(inputs.values));
}

SyntheticTensor phased_tensor(const ClaimInputs& inputs, const Law& law, int64_t phase_length) {
  return SyntheticTensor(phased_set_up(law, phase_length, inputs.values, inputs.seed));
}

std::vector<ScaleErrorSums> law_errors(const ClaimInputs& inputs, const Law& law,
                                       const std::vector<ScaleChoice>& choices) {
  constexpr int kBlock = 32;
  const SyntheticTensor tensor = phased_tensor(inputs, law, kBlock);
  const SweepInput input{
      [&](int64_t row, float* values) { tensor.fill_row(row, values); }, tensor.spec().rows,
      tensor.spec().k, kBlock,
      [&](int64_t row, int64_t block) { return tensor.energy_weight(row, block); }};
  return sweep_scales(input, choices, inputs.threads);
}

std::vector<ScaleErrorSums> group_errors(const ClaimInputs& inputs, const OperandGroup& group,
                                         const std::vector<ScaleChoice>& choices) {
  std::vector<ScaleErrorSums> sums(choices.size());
  for (const MatrixView& operand : group.operands) {
    std::vector<ScaleErrorSums> errors = sweep_scales(
        {view_rows(operand), operand.rows, operand.k, 32, {}}, choices, inputs.threads);
    for (size_t i = 0; i < sums.size(); ++i) {
      if (errors[i].signal > 0) {
        errors[i].weigh(1 / errors[i].signal);
        sums[i] += errors[i];
      }
    }
  }
  return sums;
}

}  // namespace nibblecore::tb
