// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <filesystem>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "model/trace/safetensors_reader.hpp"
#include "model/trace/safetensors_writer.hpp"

namespace nibblecore {

/// A safetensors file in the making; owns its data.
class TensorFile {
 public:
  /// Adds a tensor, or puts another in place of one of the same name.
  template <typename T>
  TensorFile& set(const std::string& name, DType dtype, const std::vector<int64_t>& shape,
                  const std::vector<T>& elements) {
    remove(name);
    std::vector<std::byte> bytes(elements.size() * sizeof(T));
    if (!bytes.empty()) {
      std::memcpy(bytes.data(), elements.data(), bytes.size());
    }
    entries_.push_back({name, dtype, shape, std::move(bytes)});
    return *this;
  }

  void remove(const std::string& name) {
    entries_.remove_if([&](const Entry& entry) { return entry.name == name; });
  }

  void write(const std::filesystem::path& path) const {
    std::vector<Tensor> tensors;
    for (const Entry& entry : entries_) {
      tensors.push_back({entry.name, entry.dtype, entry.shape, entry.bytes.data(),
                         static_cast<int64_t>(entry.bytes.size())});
    }
    write_safetensors(path, tensors);
  }

 private:
  struct Entry {
    std::string name;
    DType dtype;
    std::vector<int64_t> shape;
    std::vector<std::byte> bytes;
  };

  std::list<Entry> entries_;
};

/// The elements of a tensor, as bits of type T.
template <typename T>
std::vector<T> elements_of(const Tensor& tensor) {
  std::vector<T> elements(static_cast<size_t>(tensor.bytes) / sizeof(T));
  if (!elements.empty()) {
    std::memcpy(elements.data(), tensor.data, elements.size() * sizeof(T));
  }
  return elements;
}

template <typename T>
std::vector<T> elements_of(const SafetensorsFile& file, const std::string& name) {
  return elements_of<T>(file.tensor(name));
}

}  // namespace nibblecore
