// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace nibblecore::tb {

/// A file that one process at a time may have open: it is locked from its opening until this ends,
/// however the process ends. Every failure is an InputError naming the file.
class LockedFile {
 public:
  /// Opens the file, or makes it. InputError where another process holds it, or it is no regular
  /// file.
  explicit LockedFile(const std::filesystem::path& path);
  ~LockedFile();
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  int64_t size() const;
  /// `size` bytes from `offset`, fewer where the file ends before.
  std::string read(int64_t offset, int64_t size) const;
  /// Writes at the end. Once this returns, the bytes survive the end of the process, if not that of
  /// the system.
  void append(std::string_view bytes);
  /// Cuts the file to its first `size` bytes.
  void cut(int64_t size);
  /// Removes the file's name; nobody can open it any more.
  void remove();

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace nibblecore::tb
