// SPDX-License-Identifier: Apache-2.0
#include "model/workload/micro_batches.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>

#include "model/common/checked.hpp"

namespace nibblecore {
namespace {

bool is_full(int64_t sequences, const MicroBatchLimit& limit) {
  return limit.sequences > 0 && sequences >= limit.sequences;
}

std::vector<int64_t> pack_in_order(const std::vector<int64_t>& lengths,
                                   const MicroBatchLimit& limit) {
  std::vector<int64_t> batches;
  int64_t sequences = 0;
  for (const int64_t length : lengths) {
    if (batches.empty() || is_full(sequences, limit) || batches.back() + length > limit.tokens) {
      batches.push_back(0);
      sequences = 0;
    }
    batches.back() += length;
    ++sequences;
  }
  return batches;
}

/// `descending` lengths in `count` micro-batches; empty where that breaks a limit.
std::vector<int64_t> try_balanced(const std::vector<int64_t>& descending,
                                  const MicroBatchLimit& limit, int64_t count) {
  struct Batch {
    int64_t tokens;
    int64_t index;
    int64_t sequences;
    bool operator>(const Batch& other) const {
      return std::tie(tokens, index) > std::tie(other.tokens, other.index);
    }
  };
  std::priority_queue<Batch, std::vector<Batch>, std::greater<>> open;
  for (int64_t index = 0; index < count; ++index) {
    open.push({0, index, 0});
  }
  std::vector<int64_t> batches(static_cast<size_t>(count), 0);
  for (const int64_t length : descending) {
    if (open.empty() || open.top().tokens + length > limit.tokens) {
      return {};
    }
    Batch batch = open.top();
    open.pop();
    batch.tokens += length;
    ++batch.sequences;
    batches[static_cast<size_t>(batch.index)] = batch.tokens;
    if (!is_full(batch.sequences, limit)) {
      open.push(batch);
    }
  }
  return batches;
}

std::vector<int64_t> pack_balanced(std::vector<int64_t> lengths, const MicroBatchLimit& limit) {
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  const auto sequences = static_cast<int64_t>(lengths.size());
  const int64_t tokens = std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
  int64_t count = ceil_divide(tokens, limit.tokens);
  if (limit.sequences > 0) {
    count = std::max(count, ceil_divide(sequences, limit.sequences));
  }
  for (;; count += 1 + count / 64) {
    // A sequence a micro-batch always keeps the limits.
    std::vector<int64_t> batches = try_balanced(lengths, limit, std::min(count, sequences));
    if (!batches.empty() || sequences == 0) {
      return batches;
    }
  }
}

}  // namespace

std::vector<int64_t> pack_micro_batches(const std::vector<int64_t>& lengths,
                                        const MicroBatchLimit& limit, Packing packing) {
  return packing == Packing::kInOrder ? pack_in_order(lengths, limit)
                                      : pack_balanced(lengths, limit);
}

}  // namespace nibblecore
