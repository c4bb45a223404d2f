// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tb/fault/fault_stimuli.hpp"

namespace nibblecore::tb {

/// FP32 bits of one block for the quantizer.
using ValueBlock = std::vector<uint32_t>;

/// Makes stimuli of blocks that are to pass each quantizer of the core, against an operand without
/// a zero, so that every element is in the result. All blocks have scales close to each other, so
/// that sums stay exact.
class BlockStimuli {
 public:
  BlockStimuli(const BlockFormat& format, uint64_t seed, FaultStimuli& stimuli)
      : format_(format), random_(seed), stimuli_(stimuli) {}

  /// The blocks through the quantizer of A, and through that of B.
  void add_plain(const std::string& name, const Preset& preset,
                 const std::vector<ValueBlock>& blocks);
  /// The blocks through the quantizer of A with a residual that keeps every element.
  void add_residual(const std::string& name, const Preset& preset,
                    const std::vector<ValueBlock>& blocks);

 private:
  FaultOperand rows_of(const std::vector<ValueBlock>& blocks) const;
  /// Without a zero, under a scale of 1.
  FaultOperand weights(int64_t k);

  BlockFormat format_;
  std::mt19937_64 random_;
  FaultStimuli& stimuli_;
};

}  // namespace nibblecore::tb
