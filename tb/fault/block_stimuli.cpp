// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/block_stimuli.hpp"

#include <algorithm>
#include <utility>

namespace nibblecore::tb {
namespace {

constexpr int64_t kRows = 2;     // that the blocks are dealt to
constexpr int64_t kWeights = 4;  // rows of the other operand: one of them may hide a difference
// A beat of MXFP4 holds two blocks: each block comes twice, so that both circuits get it.
constexpr int64_t kCopies = 2;

int64_t k_of(const std::vector<ValueBlock>& blocks) {
  const auto count = static_cast<int64_t>(blocks.size());
  const auto block = static_cast<int64_t>(blocks.front().size());
  return (count + kRows - 1) / kRows * kCopies * block;
}

}  // namespace

FaultOperand BlockStimuli::rows_of(const std::vector<ValueBlock>& blocks) const {
  FaultOperand operand;
  operand.path = OperandPath::kOnlineFp32;
  const size_t a_row = (blocks.size() + kRows - 1) / kRows;
  for (size_t row = 0; row < kRows; ++row) {
    for (size_t i = 0; i < a_row; ++i) {
      const ValueBlock& block = blocks[std::min(row * a_row + i, blocks.size() - 1)];
      for (int64_t copy = 0; copy < kCopies; ++copy) {
        operand.values.insert(operand.values.end(), block.begin(), block.end());
      }
    }
  }
  return operand;
}

FaultOperand BlockStimuli::weights(int64_t k) {
  FaultOperand operand;
  operand.packed = make_packed_matrix(format_, kWeights, k);
  for (int64_t row = 0; row < kWeights; ++row) {
    for (int64_t i = 0; i < k; ++i) {
      const auto magnitude = static_cast<uint8_t>(1 + random_() % 7);
      const auto sign = static_cast<uint8_t>(random_() % 2 * 8);
      set_packed_code(operand.packed.row_codes(row), i, static_cast<uint8_t>(magnitude | sign));
    }
    for (int64_t i = 0; i < operand.packed.scale_stride(); i += format_.scale_bytes()) {
      operand.packed.row_scales(row)[i] =
          format_.scale == ScaleKind::kHif4 ? uint8_t{48 << 2} : uint8_t{127};
    }
  }
  return operand;
}

void BlockStimuli::add_plain(const std::string& name, const Preset& preset,
                             const std::vector<ValueBlock>& blocks) {
  const int64_t k = k_of(blocks);
  stimuli_.push_back(std::make_unique<FaultStimulus>(
      name + ", A", GemmSpec{kRows, kWeights, k, format_}, preset, rows_of(blocks), weights(k)));
  stimuli_.push_back(std::make_unique<FaultStimulus>(
      name + ", B", GemmSpec{kWeights, kRows, k, format_}, preset, weights(k), rows_of(blocks)));
}

void BlockStimuli::add_residual(const std::string& name, const Preset& preset,
                                const std::vector<ValueBlock>& blocks) {
  const int64_t k = k_of(blocks);
  GemmSpec spec{kRows, kWeights, k, format_};
  spec.residual = ResidualPattern::kDense;
  stimuli_.push_back(std::make_unique<FaultStimulus>(name + ", residual", spec, preset,
                                                     rows_of(blocks), weights(k)));
}

}  // namespace nibblecore::tb
