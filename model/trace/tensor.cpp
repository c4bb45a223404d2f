// SPDX-License-Identifier: Apache-2.0
#include "model/trace/tensor.hpp"

#include "model/common/checked.hpp"
#include "model/common/error.hpp"

namespace nibblecore {

int64_t tensor_bytes(DType dtype, const std::vector<int64_t>& shape, const std::string& place) {
  int64_t bits = bits_of(dtype);
  for (const int64_t entry : shape) {
    if (entry < 0) {
      throw InputError(place, "negative entry in " + shape_text(shape));
    }
    bits = checked_multiply(bits, entry, place);
  }
  if (bits % 8 != 0) {
    throw InputError(place, shape_text(shape) + " of " + std::string(name_of(dtype)) + " takes " +
                                std::to_string(bits) + " bits, not whole bytes");
  }
  return bits / 8;
}

std::string shape_text(const std::vector<int64_t>& shape) {
  std::string text = "[";
  for (const int64_t entry : shape) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(entry);
  }
  return text + "]";
}

}  // namespace nibblecore
