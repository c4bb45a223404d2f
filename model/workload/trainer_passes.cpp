// SPDX-License-Identifier: Apache-2.0
#include "model/workload/trainer_passes.hpp"

#include <algorithm>

#include "model/workload/micro_batches.hpp"
#include "model/workload/padded.hpp"

namespace nibblecore {
namespace {

/// One round over samples [begin, end), which the data-parallel ranks share.
class Round {
 public:
  Round(const std::vector<Sample>& samples, Share round, const Recipe& recipe,
        const MicroBatchLimit& limit)
      : samples_(samples), round_(round), recipe_(recipe), limit_(limit) {}

  void add_to(PhasePasses& passes) const {
    std::vector<int64_t> routed;
    for (int64_t rank = 0; rank < recipe_.train.expert; ++rank) {
      const std::vector<int64_t> batches = micro_batches(rank);
      routed.resize(std::max(routed.size(), batches.size()), 0);
      for (size_t i = 0; i < batches.size(); ++i) {
        routed[i] += padded(batches[i], recipe_.micro_batch_multiple);
      }
      if (rank == 0) {
        add_own(batches, passes);
      }
    }
    for (const int64_t rows : routed) {
      ++passes.routed_rows[rows];
    }
  }

 private:
  Share own(int64_t rank) const {
    const Share share = share_of(round_.end - round_.begin, recipe_.train.data, rank);
    return {round_.begin + share.begin, round_.begin + share.end};
  }

  std::vector<int64_t> micro_batches(int64_t rank) const {
    std::vector<int64_t> lengths;
    const Share share = own(rank);
    for (int64_t i = share.begin; i < share.end; ++i) {
      lengths.push_back(samples_[static_cast<size_t>(i)].tokens());
    }
    return pack_micro_batches(lengths, limit_, recipe_.packing);
  }

  void add_own(const std::vector<int64_t>& batches, PhasePasses& passes) const {
    for (const int64_t tokens : batches) {
      const int64_t rows = padded(tokens, recipe_.micro_batch_multiple);
      passes.tokens += tokens;
      ++passes.rows[rows];
      ++passes.head_rows[rows];
    }
    const Share share = own(0);
    for (int64_t i = share.begin; i < share.end; ++i) {
      passes.attention.add_sequence(samples_[static_cast<size_t>(i)].tokens());
    }
  }

  const std::vector<Sample>& samples_;
  Share round_;
  const Recipe& recipe_;
  const MicroBatchLimit& limit_;
};

}  // namespace

PhasePasses logprob_passes(const std::string& phase, const std::vector<Sample>& samples,
                           const Recipe& recipe) {
  PhasePasses passes;
  passes.phase = phase;
  passes.attention = AttentionLengths(recipe.attention_multiple);
  const Share all{0, static_cast<int64_t>(samples.size())};
  Round(samples, all, recipe, recipe.logprob_micro_batch).add_to(passes);
  return passes;
}

PhasePasses train_passes(const std::vector<Sample>& samples, const Recipe& recipe) {
  PhasePasses passes;
  passes.phase = "train";
  passes.attention = AttentionLengths(recipe.attention_multiple);
  const auto count = static_cast<int64_t>(samples.size());
  const int64_t mini_batch = recipe.mini_batch_prompts * recipe.samples;
  for (int64_t begin = 0; begin < count; begin += mini_batch) {
    const Share round{begin, std::min(count, begin + mini_batch)};
    Round(samples, round, recipe, recipe.train_micro_batch).add_to(passes);
  }
  return passes;
}

}  // namespace nibblecore
