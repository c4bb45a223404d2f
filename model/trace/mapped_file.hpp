// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace nibblecore {

/// A regular file mapped read-only into memory; copies share the mapping. InputError naming the
/// file where it is missing, empty, or not a regular file. A file that is cut short by others while
/// it is mapped ends the program: replace such files by renaming.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);

  const std::byte* data() const { return data_; }
  int64_t size() const { return size_; }

  /// `size` bytes from `offset`, which must lie inside.
  std::string_view text(int64_t offset, int64_t size) const;

  /// Gives back the memory that `size` bytes from `data`, within this file, and their neighbours on
  /// the same pages take in this process. They stay readable: who reads them again takes it again.
  void release(const void* data, int64_t size) const;

 private:
  std::shared_ptr<const void> region_;
  const std::byte* data_ = nullptr;
  int64_t size_ = 0;
};

}  // namespace nibblecore
