// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/trace/dtype.hpp"

namespace nibblecore {

/// A named tensor somewhere in memory: row-major, little-endian, of any alignment; F4 and F6
/// elements are packed. It owns no data.
struct Tensor {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<int64_t> shape;  ///< in elements; empty for a single one
  const std::byte* data = nullptr;
  int64_t bytes = 0;
};

/// Bytes of a tensor of that type and shape. InputError at `place` where an entry is negative, the
/// size overflows, or elements under a byte don't fill whole bytes.
int64_t tensor_bytes(DType dtype, const std::vector<int64_t>& shape, const std::string& place);

/// A shape as text: "[2, 3]".
std::string shape_text(const std::vector<int64_t>& shape);

}  // namespace nibblecore
