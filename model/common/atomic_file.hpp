// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <ostream>

#include "model/common/atomic_path.hpp"

namespace nibblecore {

/// A file that appears under its name whole or not at all: it is written beside the target and
/// renamed by commit(); without a commit it is removed and an older target stays as it was. A
/// symbolic link is followed. Every failure (folder missing, target not a regular file, disk full)
/// is an InputError naming the target.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& target);

  /// Where to write; a failed write may go unchecked here, close() finds it.
  std::ostream& stream() { return stream_; }

  /// Ends the writing; after it, only the rename of commit() can fail. Lets several files be
  /// finished before the first is put in place.
  void close();

  /// Closes if need be, and renames. Called once, last. A file whose close() failed stays refused.
  void commit();

 private:
  AtomicPath path_;
  std::ofstream stream_;
};

}  // namespace nibblecore
