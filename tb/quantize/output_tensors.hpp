// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "model/trace/tensor.hpp"

namespace nibblecore::tb {

/// Tensors on their way into a file, with their data.
class OutputTensors {
 public:
  void add(const std::string& name, std::vector<int64_t> shape, std::vector<uint8_t> bytes);
  void add(const std::string& name, std::vector<int64_t> shape, std::vector<float> values);

  const std::vector<Tensor>& tensors() const { return tensors_; }

 private:
  std::deque<std::vector<uint8_t>> bytes_;
  std::deque<std::vector<float>> floats_;
  std::vector<Tensor> tensors_;
};

/// `shape` with another last axis; a scalar becomes a row.
std::vector<int64_t> with_last_axis(std::vector<int64_t> shape, int64_t last_axis);

}  // namespace nibblecore::tb
