// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/workload/samples.hpp"

namespace nibblecore {

/// The lengths of attention in the passes of a phase.
class AttentionLengths {
 public:
  /// Counts lengths rounded up to this multiple; 0: pairs alone.
  explicit AttentionLengths(int64_t multiple = 0) : multiple_(multiple) {}

  /// A pass over a whole sequence.
  void add_sequence(int64_t tokens);
  /// The decode steps of these samples, a query each; of a response all but the first token.
  void add_decoding(const std::vector<Sample>& samples);

  /// Pairs of a query and a key that it sees, itself included, over all passes.
  int64_t causal_pairs() const { return causal_pairs_; }
  /// Queries and keys of one sequence in one pass -> how many there are.
  const std::map<std::pair<int64_t, int64_t>, int64_t>& counts() const { return counts_; }

 private:
  int64_t multiple_;
  int64_t causal_pairs_ = 0;
  std::map<std::pair<int64_t, int64_t>, int64_t> counts_;
};

}  // namespace nibblecore
