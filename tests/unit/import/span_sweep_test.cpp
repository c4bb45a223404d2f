// SPDX-License-Identifier: Apache-2.0
#include "model/import/span_sweep.hpp"

#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_error.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Span outer(size_t index, int64_t start, int64_t end, int rank = 0, int64_t track = 0) {
  return {track, start, end, rank, true, index};
}

Span inner(size_t index, int64_t start, int64_t end, int64_t track = 0) {
  return {track, start, end, 9, false, index};
}

// By the index of each inner span, those around it; the same for every order of the spans.
std::map<size_t, std::vector<size_t>> around(std::vector<Span> spans) {
  std::map<size_t, std::vector<size_t>> first;
  for (size_t turn = 0; turn < spans.size(); ++turn) {
    std::map<size_t, std::vector<size_t>> found;
    std::vector<Span> copy = spans;
    sweep_spans(copy, "f", [&](const Span& span, const std::vector<const Span*>& others) {
      for (const Span* const other : others) {
        found[span.index].push_back(other->index);
      }
      found[span.index];
    });
    EXPECT_TRUE(turn == 0 || found == first);
    first = found;
    std::rotate(spans.begin(), spans.begin() + 1, spans.end());
  }
  return first;
}

TEST(SpanSweep, NestedSpansInnermostFirst) {
  auto found = around(
      {outer(1, 0, 100), outer(2, 10, 50), inner(3, 20, 30), inner(4, 60, 70), inner(5, 100, 110)});
  EXPECT_THAT(found[3], ElementsAre(2, 1));
  EXPECT_THAT(found[4], ElementsAre(1));
  EXPECT_THAT(found[5], IsEmpty());
}

TEST(SpanSweep, EqualTimesGoByRank) {
  auto found = around({outer(1, 5, 9, 2), outer(2, 5, 9, 1), inner(3, 5, 9)});
  EXPECT_THAT(found[3], ElementsAre(1, 2));
  found = around({outer(1, 5, 5, 0), inner(2, 5, 5)});
  EXPECT_THAT(found[2], ElementsAre(1));
}

TEST(SpanSweep, RoundedTimes) {
  auto found = around({outer(1, 10, 14), inner(2, 12, 15), inner(3, 14, 16)});
  EXPECT_THAT(found[2], ElementsAre(1));
  EXPECT_THAT(found[3], IsEmpty());
}

// The first ends below the second.
TEST(SpanSweep, SpansThatOverlap) {
  auto found = around({outer(1, 0, 10), outer(2, 5, 30), inner(3, 7, 8), inner(4, 15, 16)});
  EXPECT_THAT(found[3], ElementsAre(2, 1));
  EXPECT_THAT(found[4], ElementsAre(2));
}

TEST(SpanSweep, TracksAreApart) {
  auto found = around({outer(1, 0, 100, 0, 7), inner(2, 10, 20, 7), inner(3, 10, 20, 8)});
  EXPECT_THAT(found[2], ElementsAre(1));
  EXPECT_THAT(found[3], IsEmpty());
}

TEST(SpanSweep, DepthIsBounded) {
  std::vector<Span> spans;
  for (int64_t depth = 0; depth < 1000; ++depth) {
    spans.push_back(outer(static_cast<size_t>(depth), depth, 5000 - depth));
  }
  const auto ignore = [](const Span&, const std::vector<const Span*>&) {};
  EXPECT_EQ(input_error([&] { sweep_spans(spans, "f", ignore); }), "");
  spans.push_back(outer(1000, 1000, 2000));
  EXPECT_THAT(input_error([&] { sweep_spans(spans, "f", ignore); }),
              HasSubstr("f: more than 1000 events enclose each other"));
}

}  // namespace
}  // namespace nibblecore
