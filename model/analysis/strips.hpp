// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/analysis/blocked_rows.hpp"
#include "model/common/checked.hpp"
#include "model/common/parallel.hpp"

namespace nibblecore {

/// A piece of a tensor small enough for a processor's cache: some rows, of each a run of whole
/// blocks (the tensor's tail apart).
struct Strip {
  int64_t first_row;
  int64_t rows;
  int64_t first_k;
  int64_t k;
};

/// How a tensor is cut into strips; its shape alone decides.
class StripPlan {
 public:
  StripPlan(int64_t rows, int64_t k) : rows_(rows), k_(k) {
    strip_k_ = std::min(k, kLongestStrip);
    strip_rows_ = k == 0 ? 1 : std::max(kFewestRows, kElements / strip_k_);
    across_ = k == 0 ? 0 : ceil_divide(k, strip_k_);
    count_ = k == 0 ? 0 : ceil_divide(rows, strip_rows_) * across_;
  }

  int64_t count() const { return count_; }

  Strip strip(int64_t index) const {
    const int64_t first_row = index / across_ * strip_rows_;
    const int64_t first_k = index % across_ * strip_k_;
    return {first_row, std::min(strip_rows_, rows_ - first_row), first_k,
            std::min(strip_k_, k_ - first_k)};
  }

 private:
  static constexpr int64_t kLongestStrip = 1024;  // a multiple of every block
  static constexpr int64_t kFewestRows = 16;
  static constexpr int64_t kElements = kLongestStrip * kFewestRows;

  int64_t rows_;
  int64_t k_;
  int64_t strip_k_;
  int64_t strip_rows_;
  int64_t across_;
  int64_t count_;
};

/// The Sum of all strips: body(strip, values, sum) adds what belongs to one strip, whose FP32
/// values are [strip.rows, strip.k], to a fresh sum; those are merged by += in the order of the
/// strips, so that `threads` (0: one per processor) do not change a bit. Memory does not grow with
/// the tensor.
template <typename Sum, typename Body>
Sum sum_over_strips(const BlockedRows& tensor, int threads, const Body& body) {
  constexpr int64_t kStripsAtATime = 1024;
  const StripPlan plan(tensor.rows(), tensor.k());
  Sum total;
  for (int64_t first = 0; first < plan.count(); first += kStripsAtATime) {
    const int64_t count = std::min(kStripsAtATime, plan.count() - first);
    std::vector<Sum> sums(static_cast<size_t>(count));
    parallel_for(count, 1, threads, [&](int64_t begin, int64_t end) {
      std::vector<float> values;
      for (int64_t i = begin; i < end; ++i) {
        const Strip strip = plan.strip(first + i);
        values.resize(static_cast<size_t>(strip.rows * strip.k));
        load_rows(tensor, strip.first_row, strip.rows, strip.first_k, strip.k, values.data());
        body(strip, values.data(), sums[static_cast<size_t>(i)]);
      }
    });
    for (const Sum& sum : sums) {
      total += sum;
    }
  }
  return total;
}

}  // namespace nibblecore
