// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/trace/mapped_file.hpp"
#include "model/trace/tensor.hpp"

namespace nibblecore {

/// Longest header that the safetensors format allows, in bytes.
inline constexpr int64_t kSafetensorsHeaderLimit = 100'000'000;

/// A safetensors file, mapped into memory and checked in full when opened: header length, JSON
/// without duplicate keys, types, shapes, and tensors that cover the buffer without hole or
/// overlap. Whatever is wrong is an InputError naming the file, the offset or tensor, the field and
/// why. Unknown fields of a tensor are ignored.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::filesystem::path& path);
  ~SafetensorsFile() = default;
  SafetensorsFile(SafetensorsFile&&) = default;
  SafetensorsFile& operator=(SafetensorsFile&&) = default;
  SafetensorsFile(const SafetensorsFile&) = delete;
  SafetensorsFile& operator=(const SafetensorsFile&) = delete;

  const std::string& path() const { return path_; }
  /// All tensors in the order of the header; their data lives as long as this object.
  const std::vector<Tensor>& tensors() const { return tensors_; }
  /// The header's `__metadata__`, empty where it has none.
  const std::map<std::string, std::string>& metadata() const { return metadata_; }

  /// The tensor of this name, or null.
  const Tensor* find(std::string_view name) const;
  /// The tensor of this name; InputError naming file and tensor where there is none.
  const Tensor& tensor(std::string_view name) const;

 private:
  std::string path_;
  MappedFile file_;
  std::vector<Tensor> tensors_;
  std::map<std::string, std::string> metadata_;
  std::unordered_map<std::string, size_t> index_;
};

}  // namespace nibblecore
