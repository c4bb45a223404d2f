// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/emulate/node_scales.hpp"
#include "model/formats/block_format.hpp"

namespace nibblecore {

/// Some blocks of a tile whose values add up, for every output, to an FP64 number.
class ExactRun {
 public:
  explicit ExactRun(const BlockFormat& format);

  /// Takes in `blocks` more of these scales, if the sum stays exact with them.
  bool include(const NodeScales& scales, int64_t blocks);

  bool is_empty() const { return blocks_ == 0; }
  void clear() { blocks_ = 0; }

 private:
  int value_bits_;  ///< of a block value in units of 2^(the exponent of its scales - some constant)
  int64_t blocks_ = 0;
  int lowest_ = 0;
  int highest_ = 0;
};

}  // namespace nibblecore
