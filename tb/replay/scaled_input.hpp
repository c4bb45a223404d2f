// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/formats/matrix_view.hpp"

namespace nibblecore::tb {

/// An operand times a factor, each value rounded to FP32, where the stored tensor keeps its order;
/// the operand itself, without a copy, for a factor of 1.
class ScaledInput {
 public:
  /// The data of `input` outlives this. The view covers rows * k neighbouring elements.
  ScaledInput(const MatrixView& input, float factor);
  ScaledInput(const ScaledInput&) = delete;
  ScaledInput& operator=(const ScaledInput&) = delete;

  const MatrixView& view() const { return view_; }

 private:
  std::vector<float> values_;
  MatrixView view_;
};

}  // namespace nibblecore::tb
