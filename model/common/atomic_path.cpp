// SPDX-License-Identifier: Apache-2.0
#include "model/common/atomic_path.hpp"

#include <random>
#include <sstream>
#include <string>
#include <system_error>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

namespace fs = std::filesystem;

// A rename over a device such as /dev/null would replace the device itself.
fs::path resolve_target(const fs::path& target) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (!fs::exists(status)) {
    return target;
  }
  if (!fs::is_regular_file(status)) {
    throw InputError(target.string(), "cannot write: it exists and is not a regular file");
  }
  return fs::canonical(target, error);
}

// The target's own name is left out: with a suffix it might grow too long for the file system.
fs::path temporary_beside(const fs::path& target, std::string_view suffix) {
  std::random_device random;
  std::ostringstream name;
  name << ".nibblecore-" << std::hex << random() << random() << suffix;
  return target.parent_path() / name.str();
}

}  // namespace

AtomicPath::AtomicPath(const fs::path& target, std::string_view suffix)
    : target_(resolve_target(target)), temporary_(temporary_beside(target_, suffix)) {}

AtomicPath::~AtomicPath() {
  if (!committed_) {
    std::error_code ignored;
    fs::remove(temporary_, ignored);
  }
}

void AtomicPath::commit() {
  std::error_code error;
  fs::rename(temporary_, target_, error);
  if (error) {
    throw InputError(target_.string(), "cannot rename the finished file: " + error.message());
  }
  committed_ = true;
}

}  // namespace nibblecore
