// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/matrix_view.hpp"
#include "tb/coverage/coverage.hpp"

namespace nibblecore::tb {

/// Which values online operands hold.
class InputPoints {
 public:
  explicit InputPoints(Coverage& coverage);

  void sample(const MatrixView& operand);

 private:
  CoverPoint& bf16_;
  CoverPoint& fp32_;
};

}  // namespace nibblecore::tb
