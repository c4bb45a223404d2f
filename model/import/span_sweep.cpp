// SPDX-License-Identifier: Apache-2.0
#include "model/import/span_sweep.hpp"

#include <algorithm>
#include <tuple>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

constexpr size_t kDeepest = 1000;

bool encloses(const Span& outer, const Span& inner) {
  return inner.start < outer.end || (inner.start == outer.start && inner.end == outer.end);
}

}  // namespace

void sweep_spans(
    std::vector<Span>& spans, const std::string& place,
    const std::function<void(const Span& span, const std::vector<const Span*>& around)>& visit) {
  std::sort(spans.begin(), spans.end(), [](const Span& left, const Span& right) {
    // The longer of two that start together comes first.
    return std::tie(left.track, left.start, right.end, left.rank, left.index) <
           std::tie(right.track, right.start, left.end, right.rank, right.index);
  });
  std::vector<const Span*> open;
  std::vector<const Span*> around;
  for (const Span& span : spans) {
    if (!open.empty() && open.front()->track != span.track) {
      open.clear();
    }
    open.erase(std::remove_if(open.begin(), open.end(),
                              [&](const Span* outer) { return !encloses(*outer, span); }),
               open.end());
    if (span.encloses) {
      open.push_back(&span);
      if (open.size() > kDeepest) {
        throw InputError(place,
                         "more than " + std::to_string(kDeepest) + " events enclose each other");
      }
      continue;
    }
    around.assign(open.rbegin(), open.rend());
    visit(span, around);
  }
}

}  // namespace nibblecore
