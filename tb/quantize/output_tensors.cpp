// SPDX-License-Identifier: Apache-2.0
#include "tb/quantize/output_tensors.hpp"

#include <utility>

namespace nibblecore::tb {

void OutputTensors::add(const std::string& name, std::vector<int64_t> shape,
                        std::vector<uint8_t> bytes) {
  bytes_.push_back(std::move(bytes));
  tensors_.push_back({name, DType::kU8, std::move(shape),
                      reinterpret_cast<const std::byte*>(bytes_.back().data()),
                      static_cast<int64_t>(bytes_.back().size())});
}

void OutputTensors::add(const std::string& name, std::vector<int64_t> shape,
                        std::vector<float> values) {
  floats_.push_back(std::move(values));
  tensors_.push_back({name, DType::kF32, std::move(shape),
                      reinterpret_cast<const std::byte*>(floats_.back().data()),
                      static_cast<int64_t>(floats_.back().size() * sizeof(float))});
}

std::vector<int64_t> with_last_axis(std::vector<int64_t> shape, int64_t last_axis) {
  if (shape.empty()) {
    shape.push_back(0);
  }
  shape.back() = last_axis;
  return shape;
}

}  // namespace nibblecore::tb
