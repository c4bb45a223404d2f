// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "hw/units/timeline_sink.hpp"
#include "model/common/atomic_file.hpp"

namespace nibblecore::tb {

/// The timeline of one GEMM as a file that Perfetto (ui.perfetto.dev) and chrome://tracing show:
/// the Trace Event Format's JSON object, one thread a track, one complete event a span. The format
/// counts microseconds; one of them stands for one cycle, and the file says so. Adjacent spans of
/// one track and name become one. What is written goes to the disk at once: memory does not grow.
class TimelineFile final : public hw::TimelineSink {
 public:
  /// InputError naming the target where it can't be written.
  explicit TimelineFile(const std::filesystem::path& target);

  /// Spans of a track come in the order of time and don't overlap; one without a length leaves
  /// nothing behind.
  void span(hw::Track track, std::string_view name, int64_t begin, int64_t end) override;

  /// Writes what is left and puts the file in place; once, last. Without it there is no file.
  void close();

 private:
  static constexpr size_t kTracks = 9;

  /// The latest span of a track, which the next one may prolong.
  struct Pending {
    std::string name;
    int64_t begin = 0;
    int64_t end = 0;
  };

  void write_header();
  void flush(size_t track);

  AtomicFile file_;
  std::array<Pending, kTracks> pending_;
};

}  // namespace nibblecore::tb
