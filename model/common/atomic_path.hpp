// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace nibblecore {

/// A name beside a target under which a file is written until it is whole: commit() renames it to
/// the target; without a commit the destructor removes it and an older target stays as it was. A
/// symbolic link is followed. A target that exists and is not a regular file is an InputError.
class AtomicPath {
 public:
  /// `suffix` ends the temporary name, for writers that insist on one.
  explicit AtomicPath(const std::filesystem::path& target, std::string_view suffix = ".tmp");
  ~AtomicPath();
  AtomicPath(const AtomicPath&) = delete;
  AtomicPath& operator=(const AtomicPath&) = delete;

  const std::filesystem::path& target() const { return target_; }
  /// Where to write.
  const std::filesystem::path& temporary() const { return temporary_; }

  /// Renames the closed temporary file to the target; once, last.
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  bool committed_ = false;
};

}  // namespace nibblecore
