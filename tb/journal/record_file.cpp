// SPDX-License-Identifier: Apache-2.0
#include "tb/journal/record_file.hpp"

#include <cstring>

#include "model/common/error.hpp"
#include "tb/journal/crc32.hpp"

namespace nibblecore::tb {
namespace {

/// In front of each record, as the processor stores them: uint64_t length, uint32_t CRC.
constexpr int64_t kLengthBytes = 8;
constexpr int64_t kFrameBytes = kLengthBytes + 4;

/// Of the length too: zeros, which a system that went down may leave, are no record.
uint32_t check_of(std::string_view length, std::string_view record) {
  return crc32({length, record});
}

std::string framed(std::string_view record) {
  std::string bytes(static_cast<size_t>(kFrameBytes), '\0');
  const uint64_t length = record.size();
  std::memcpy(bytes.data(), &length, kLengthBytes);
  const uint32_t check = check_of({bytes.data(), kLengthBytes}, record);
  std::memcpy(bytes.data() + kLengthBytes, &check, sizeof check);
  return bytes.append(record);
}

/// The bytes that a record at `offset` says it has; nothing where the file ends before.
std::optional<int64_t> length_at(const LockedFile& file, int64_t offset, const std::string& frame) {
  uint64_t length = 0;
  if (static_cast<int64_t>(frame.size()) == kFrameBytes) {
    std::memcpy(&length, frame.data(), kLengthBytes);
    if (length <= static_cast<uint64_t>(file.size() - offset - kFrameBytes)) {
      return static_cast<int64_t>(length);
    }
  }
  return std::nullopt;
}

}  // namespace

RecordFile::RecordFile(const std::filesystem::path& path, std::string_view title)
    : file_(path), end_(static_cast<int64_t>(title.size())) {
  const std::string found = file_.read(0, end_);
  if (found == title) {
    return;
  }
  if (title.substr(0, found.size()) != found) {
    throw InputError(path.string(), "begins with something else than '" +
                                        std::string(title.substr(0, title.find('\n'))) + "'");
  }
  file_.cut(0);
  file_.append(title);
}

std::optional<std::string> RecordFile::next() {
  const std::string frame = file_.read(end_, kFrameBytes);
  const std::optional<int64_t> length = length_at(file_, end_, frame);
  if (!length) {
    return std::nullopt;
  }
  std::string record = file_.read(end_ + kFrameBytes, *length);
  uint32_t check = 0;
  std::memcpy(&check, frame.data() + kLengthBytes, sizeof check);
  if (check != check_of({frame.data(), kLengthBytes}, record)) {
    return std::nullopt;
  }
  end_ += kFrameBytes + *length;
  return record;
}

Tail RecordFile::tail() const {
  if (file_.size() == end_) {
    return Tail::kNothing;
  }
  return length_at(file_, end_, file_.read(end_, kFrameBytes)) ? Tail::kDamaged : Tail::kTorn;
}

void RecordFile::append(std::string_view record) {
  if (file_.size() != end_) {
    file_.cut(end_);
  }
  const std::string bytes = framed(record);
  file_.append(bytes);
  end_ += static_cast<int64_t>(bytes.size());
}

}  // namespace nibblecore::tb
