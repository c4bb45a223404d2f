// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace nibblecore {

/// Something that took time on a track (a thread, a process).
struct Span {
  int64_t track = 0;
  int64_t start = 0;
  int64_t end = 0;
  int rank = 0;           ///< of spans of the same times, the lower rank encloses the higher
  bool encloses = false;  ///< whether it may enclose others; if not, it is asked what encloses it
  size_t index = 0;       ///< the caller's
};

/// Calls `visit` for every span that encloses none, with the spans of its track that enclose it,
/// the innermost first. Spans come in any order and are sorted. One encloses another that starts
/// before it ends, since what a thread calls returns before its caller: whole microseconds may let
/// the inner one end a little later. InputError at `place` where more than 1000 enclose each other.
void sweep_spans(
    std::vector<Span>& spans, const std::string& place,
    const std::function<void(const Span& span, const std::vector<const Span*>& around)>& visit);

}  // namespace nibblecore
