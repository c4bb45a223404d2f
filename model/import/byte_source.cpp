// SPDX-License-Identifier: Apache-2.0
#include "model/import/byte_source.hpp"

#include <algorithm>
#include <utility>

#include <zlib.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

constexpr size_t kPieceSize = size_t{64} * 1024;
constexpr size_t kStartSize = 64;
constexpr std::string_view kGzipMagic = "\x1F\x8B";

}  // namespace

// Owns zlib's state.
class ByteSource::Inflater {
 public:
  Inflater() {
    constexpr int kGzipWindow = 15 + 16;  // the largest window, gzip's header and no other
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) {
      throw InternalError("zlib can't be set up");
    }
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream& stream() { return stream_; }

  bool ended() const { return ended_; }
  void end_member() { ended_ = true; }
  void begin_member() {
    inflateReset(&stream_);
    ended_ = false;
  }

 private:
  z_stream stream_{};
  bool ended_ = false;
};

ByteSource::ByteSource(std::istream& file, std::string name)
    : file_(file), name_(std::move(name)), packed_(kPieceSize) {
  refill();
  if (std::string_view(packed_.data(), packed_end_).substr(0, kGzipMagic.size()) == kGzipMagic) {
    inflater_ = std::make_unique<Inflater>();
    unpacked_.resize(kPieceSize);
  }
  peeked_ = read_piece();
}

ByteSource::~ByteSource() = default;

std::string_view ByteSource::start() { return peeked_.substr(0, kStartSize); }

std::string_view ByteSource::next() {
  return peeked_.empty() ? read_piece() : std::exchange(peeked_, {});
}

std::string ByteSource::place(int64_t offset) const {
  return name_ + ", offset " + std::to_string(offset) + (inflater_ ? " of the unpacked text" : "");
}

bool ByteSource::refill() {
  file_.read(packed_.data(), static_cast<std::streamsize>(packed_.size()));
  packed_begin_ = 0;
  packed_end_ = static_cast<size_t>(file_.gcount());
  packed_read_ += file_.gcount();
  if (file_.bad()) {
    throw InputError(name_ + ", offset " + std::to_string(packed_read_), "cannot read");
  }
  return packed_end_ != 0;
}

std::string_view ByteSource::read_piece() {
  if (inflater_) {
    return inflate_piece();
  }
  if (packed_begin_ == packed_end_ && !refill()) {
    return {};
  }
  packed_begin_ = packed_end_;
  return {packed_.data(), packed_end_};
}

std::string_view ByteSource::inflate_piece() {
  z_stream& stream = inflater_->stream();
  size_t size = 0;
  while (size == 0) {
    const bool at_end = packed_begin_ == packed_end_ && !refill();
    const std::string place =
        name_ + ", offset " +
        std::to_string(packed_read_ - static_cast<int64_t>(packed_end_ - packed_begin_));
    if (at_end && inflater_->ended()) {
      return {};
    }
    if (at_end) {
      throw InputError(place, "the gzip data end early: the file is cut short");
    }
    if (inflater_->ended()) {
      inflater_->begin_member();
    }
    stream.next_in = reinterpret_cast<Bytef*>(packed_.data() + packed_begin_);
    stream.avail_in = static_cast<uInt>(packed_end_ - packed_begin_);
    stream.next_out = reinterpret_cast<Bytef*>(unpacked_.data());
    stream.avail_out = static_cast<uInt>(unpacked_.size());
    const int result = inflate(&stream, Z_NO_FLUSH);
    packed_begin_ = packed_end_ - stream.avail_in;
    size = unpacked_.size() - stream.avail_out;
    if (result == Z_STREAM_END) {
      inflater_->end_member();
    } else if (result != Z_OK) {
      throw InputError(place, std::string("damaged gzip data: ") +
                                  (stream.msg != nullptr ? stream.msg : "no progress"));
    }
  }
  return {unpacked_.data(), size};
}

}  // namespace nibblecore
