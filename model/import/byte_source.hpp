// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nibblecore {

/// The bytes of a stream in pieces, unpacked where they begin as gzip (RFC 1952; several members
/// may follow each other). Needs some 128 KiB whatever the size. InputError naming the file and the
/// offset in it where it can't be read, or its gzip data is damaged or ends early.
class ByteSource {
 public:
  /// `file` outlives the source; `name` stands for it in messages.
  ByteSource(std::istream& file, std::string name);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  const std::string& name() const { return name_; }

  /// The first bytes, up to 64, which next() gives as well.
  std::string_view start();

  /// The next piece, valid until the next call; empty at the end.
  std::string_view next();

  /// Where a message points that concerns the byte at `offset` of the (unpacked) text.
  std::string place(int64_t offset) const;

 private:
  class Inflater;

  std::string_view read_piece();
  std::string_view inflate_piece();
  bool refill();

  std::istream& file_;
  std::string name_;
  std::vector<char> packed_;
  size_t packed_begin_ = 0;
  size_t packed_end_ = 0;
  int64_t packed_read_ = 0;
  std::vector<char> unpacked_;
  std::unique_ptr<Inflater> inflater_;
  std::string_view peeked_;
};

}  // namespace nibblecore
