// SPDX-License-Identifier: Apache-2.0
#include "model/workload/attention_lengths.hpp"

#include <algorithm>
#include <iterator>

#include "model/common/checked.hpp"
#include "model/workload/padded.hpp"

namespace nibblecore {
namespace {

constexpr const char* kPlace = "query-key pairs of attention";

/// first + (first + 1) + ... over `count` numbers.
int64_t sum_from(int64_t first, int64_t count) { return count * first + count * (count - 1) / 2; }

}  // namespace

void AttentionLengths::add_sequence(int64_t tokens) {
  causal_pairs_ = checked_add(causal_pairs_, sum_from(1, tokens), kPlace);
  if (multiple_ > 0) {
    const int64_t length = padded(tokens, multiple_);
    ++counts_[{length, length}];
  }
}

void AttentionLengths::add_decoding(const std::vector<Sample>& samples) {
  std::map<int64_t, int64_t> changes;  // of the tokens decoded at a number of tokens seen
  for (const Sample& sample : samples) {
    const int64_t decoded = sample.response_tokens - 1;
    if (decoded > 0) {
      causal_pairs_ =
          checked_add(causal_pairs_, sum_from(sample.prompt_tokens + 1, decoded), kPlace);
      ++changes[sample.prompt_tokens + 1];
      --changes[sample.tokens()];
    }
  }
  if (multiple_ == 0) {
    return;
  }
  int64_t tokens = 0;
  for (auto change = changes.begin(); change != changes.end(); ++change) {
    tokens += change->second;
    const auto next = std::next(change);
    const int64_t end = next == changes.end() ? change->first : next->first;
    for (int64_t begin = change->first; tokens > 0 && begin < end;) {
      const int64_t keys = padded(begin, multiple_);
      const int64_t stop = std::min(end, keys + 1);
      counts_[{1, keys}] += tokens * (stop - begin);
      begin = stop;
    }
  }
}

}  // namespace nibblecore
