// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/memory_file.hpp"

#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/fuzz_reader.hpp"

namespace nibblecore {

MemoryFile::MemoryFile(std::string_view bytes) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
  require(descriptor_ >= 0, "there is a file in memory");
  const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
  require(written == static_cast<ssize_t>(bytes.size()), "it holds all bytes");
}

MemoryFile::~MemoryFile() { close(descriptor_); }

std::filesystem::path MemoryFile::path() const {
  return "/proc/self/fd/" + std::to_string(descriptor_);
}

}  // namespace nibblecore
