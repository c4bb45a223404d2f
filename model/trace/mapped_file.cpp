// SPDX-License-Identifier: Apache-2.0
#include "model/trace/mapped_file.hpp"

#include <system_error>

#include <sys/mman.h>
#include <unistd.h>

#include <boost/interprocess/exceptions.hpp>
#include <boost/interprocess/file_mapping.hpp>
#include <boost/interprocess/mapped_region.hpp>

#include "model/common/error.hpp"

namespace nibblecore {

namespace ipc = boost::interprocess;

MappedFile::MappedFile(const std::filesystem::path& path) {
  std::error_code error;
  // Asked first: opening a pipe would wait for a writer.
  const bool is_regular = std::filesystem::is_regular_file(path, error);
  if (error) {
    throw InputError(path.string(), "cannot open: " + error.message());
  }
  if (!is_regular) {
    throw InputError(path.string(), "cannot open: not a regular file");
  }
  if (std::filesystem::file_size(path, error) == 0) {
    throw InputError(path.string(), "the file is empty");
  }
  try {
    const ipc::file_mapping file(path.c_str(), ipc::read_only);
    const auto region = std::make_shared<ipc::mapped_region>(file, ipc::read_only);
    data_ = static_cast<const std::byte*>(region->get_address());
    size_ = static_cast<int64_t>(region->get_size());
    region_ = region;
  } catch (const ipc::interprocess_exception& failure) {
    throw InputError(path.string(), std::string("cannot map into memory: ") + failure.what());
  }
}

std::string_view MappedFile::text(int64_t offset, int64_t size) const {
  return {static_cast<const char*>(static_cast<const void*>(data_ + offset)),
          static_cast<size_t>(size)};
}

void MappedFile::release(const void* data, int64_t size) const {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  // The mapping begins on a page's boundary, and ends on one whatever the file's size.
  const auto* const begin = static_cast<const std::byte*>(data);
  const size_t first = static_cast<size_t>(begin - data_) / page * page;
  const size_t last = static_cast<size_t>(begin - data_ + size);
  if (size > 0) {
    // Only advice: where the system takes none, the memory stays taken.
    madvise(const_cast<std::byte*>(data_) + first, last - first, MADV_DONTNEED);
  }
}

}  // namespace nibblecore
