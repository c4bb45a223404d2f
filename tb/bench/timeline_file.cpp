// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/timeline_file.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace nibblecore::tb {
namespace {

/// In the order of hw::Track.
constexpr std::array<std::string_view, 9> kTrackNames{
    "memory port: loads",    "move A (L1 to L0A)", "move B (L1 to L0B)",
    "quantizer A",           "quantizer B",        "array: dense steps",
    "array: residual steps", "array: stalls",      "memory port: stores"};

constexpr std::string_view kTimeUnit = "1 us stands for 1 cycle of the core";

// Of the one process that the file knows.
constexpr int kProcess = 1;

int64_t thread_of(size_t track) { return static_cast<int64_t>(track) + 1; }

boost::json::object metadata(std::string_view kind, std::string_view name) {
  return {{"ph", "M"}, {"pid", kProcess}, {"name", kind}, {"args", {{"name", name}}}};
}

}  // namespace

TimelineFile::TimelineFile(const std::filesystem::path& target) : file_(target) { write_header(); }

void TimelineFile::write_header() {
  static_assert(kTrackNames.size() == kTracks);
  static_assert(static_cast<size_t>(hw::Track::kStore) + 1 == kTracks);
  std::ostream& out = file_.stream();
  out << "{\"displayTimeUnit\":\"ms\",\n\"otherData\":"
      << boost::json::serialize(boost::json::object{{"time_unit", kTimeUnit}})
      << ",\n\"traceEvents\":[\n"
      << boost::json::serialize(metadata("process_name", "core (1 us = 1 cycle)"));
  for (size_t track = 0; track < kTracks; ++track) {
    boost::json::object thread = metadata("thread_name", kTrackNames.at(track));
    thread["tid"] = thread_of(track);
    out << ",\n" << boost::json::serialize(thread);
  }
}

void TimelineFile::span(hw::Track track, std::string_view name, int64_t begin, int64_t end) {
  if (begin == end) {
    return;
  }
  const auto index = static_cast<size_t>(track);
  Pending& pending = pending_.at(index);
  if (pending.end == begin && pending.name == name) {
    pending.end = end;
    return;
  }
  flush(index);
  pending = {std::string(name), begin, end};
}

void TimelineFile::flush(size_t track) {
  const Pending& pending = pending_.at(track);
  if (pending.begin == pending.end) {
    return;
  }
  const boost::json::object event{{"ph", "X"},
                                  {"pid", kProcess},
                                  {"tid", thread_of(track)},
                                  {"name", pending.name},
                                  {"ts", pending.begin},
                                  {"dur", pending.end - pending.begin}};
  file_.stream() << ",\n" << boost::json::serialize(event);
}

void TimelineFile::close() {
  for (size_t track = 0; track < kTracks; ++track) {
    flush(track);
  }
  file_.stream() << "\n]}\n";
  file_.commit();
}

}  // namespace nibblecore::tb
