// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "model/trace/safetensors_reader.hpp"

namespace nibblecore {

/// The elements of one tensor of golden-vector file `name` ("mxfp4/inputs"), row-major, as bits of
/// type T.
template <typename T>
std::vector<T> vector_tensor(const std::string& name, const std::string& tensor_name) {
  const SafetensorsFile file(std::filesystem::path(NIBBLECORE_TEST_DATA) / "vectors" /
                             (name + ".safetensors"));
  const Tensor& tensor = file.tensor(tensor_name);
  std::vector<T> elements(static_cast<size_t>(tensor.bytes) / sizeof(T));
  std::memcpy(elements.data(), tensor.data, elements.size() * sizeof(T));
  return elements;
}

}  // namespace nibblecore
