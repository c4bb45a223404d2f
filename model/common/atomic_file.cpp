// SPDX-License-Identifier: Apache-2.0
#include "model/common/atomic_file.hpp"

#include "model/common/error.hpp"

namespace nibblecore {

AtomicFile::AtomicFile(const std::filesystem::path& target)
    : path_(target), stream_(path_.temporary(), std::ios::binary | std::ios::trunc) {
  if (!stream_) {
    throw InputError(target.string(), "cannot write: no file can be created in its folder");
  }
}

void AtomicFile::close() {
  if (stream_.is_open()) {
    stream_.close();
  }
  if (!stream_) {
    throw InputError(path_.target().string(), "cannot write all of it (is the disk full?)");
  }
}

void AtomicFile::commit() {
  close();
  path_.commit();
}

}  // namespace nibblecore
