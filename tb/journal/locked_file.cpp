// SPDX-License-Identifier: Apache-2.0
#include "tb/journal/locked_file.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/common/error.hpp"

namespace nibblecore::tb {
namespace {

constexpr mode_t kMode = 0666;  // less what the user masks out

/// Whether `path` still names the open file: whoever held the lock before may have removed it.
bool names(const std::filesystem::path& path, int descriptor) {
  struct stat open_file {};
  struct stat named {};
  return fstat(descriptor, &open_file) == 0 && stat(path.c_str(), &named) == 0 &&
         open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

}  // namespace

LockedFile::LockedFile(const std::filesystem::path& path) : path_(path) {
  std::error_code ignored;
  // Asked first: opening a pipe would wait for the other end.
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    throw InputError(path.string(), "is not a regular file");
  }
  for (;;) {
    descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, kMode);
    if (descriptor_ < 0) {
      fail("cannot open");
    }
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      close(descriptor_);
      if (error == EWOULDBLOCK) {
        throw InputError(path.string(), "another process is at work with it");
      }
      errno = error;
      fail("cannot lock");
    }
    if (names(path, descriptor_)) {
      return;
    }
    close(descriptor_);
  }
}

LockedFile::~LockedFile() { close(descriptor_); }

void LockedFile::fail(const std::string& what) const {
  throw InputError(path_.string(), what + ": " + std::generic_category().message(errno));
}

int64_t LockedFile::size() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) {
    fail("cannot ask for its size");
  }
  return status.st_size;
}

std::string LockedFile::read(int64_t offset, int64_t size) const {
  std::string bytes(static_cast<size_t>(size), '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = pread(descriptor_, bytes.data() + done, bytes.size() - done,
                                offset + static_cast<int64_t>(done));
    if (count < 0 && errno != EINTR) {
      fail("cannot read");
    }
    if (count == 0) {
      break;
    }
    done += count > 0 ? static_cast<size_t>(count) : 0;
  }
  bytes.resize(done);
  return bytes;
}

void LockedFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) {
      fail("cannot write all of it");
    }
    bytes.remove_prefix(count > 0 ? static_cast<size_t>(count) : 0);
  }
}

void LockedFile::cut(int64_t size) {
  if (ftruncate(descriptor_, size) != 0) {
    fail("cannot cut its damaged end off");
  }
}

void LockedFile::remove() {
  if (unlink(path_.c_str()) != 0) {
    fail("cannot remove");
  }
}

}  // namespace nibblecore::tb
