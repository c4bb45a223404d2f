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

/// What the bytes of a safetensors file hold.
struct SafetensorsContents {
  std::vector<Tensor> tensors;  ///< in the order of the header; their data lies in those bytes
  std::map<std::string, std::string> metadata;  ///< `__metadata__`, empty where there is none
  int64_t buffer_begin = 0;                     ///< offset behind the header
};

/// Reads a safetensors file's bytes and checks them in full: header length, JSON without duplicate
/// keys, types, shapes, and tensors that cover the buffer without hole or overlap. Whatever is
/// wrong is an InputError naming `file`, the offset or tensor, the field and why. Unknown fields of
/// a tensor are ignored.
SafetensorsContents parse_safetensors(std::string_view bytes, const std::string& file);

/// A safetensors file, mapped into memory and read as by parse_safetensors when opened.
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
  const std::vector<Tensor>& tensors() const { return contents_.tensors; }
  /// The header's `__metadata__`, empty where it has none.
  const std::map<std::string, std::string>& metadata() const { return contents_.metadata; }

  /// The tensor of this name, or null.
  const Tensor* find(std::string_view name) const;
  /// The tensor of this name; InputError naming file and tensor where there is none.
  const Tensor& tensor(std::string_view name) const;

  /// As MappedFile::release, of bytes of a tensor of this file.
  void release(const void* data, int64_t size) const { file_.release(data, size); }

 private:
  std::string path_;
  MappedFile file_;
  SafetensorsContents contents_;
  std::unordered_map<std::string, size_t> index_;
};

}  // namespace nibblecore
