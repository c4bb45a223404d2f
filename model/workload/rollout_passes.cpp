// SPDX-License-Identifier: Apache-2.0
#include "model/workload/rollout_passes.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "model/workload/padded.hpp"

namespace nibblecore {
namespace {

class Engine {
 public:
  Engine(const std::vector<Sample>& samples, const Recipe& recipe)
      : samples_(samples), recipe_(recipe) {
    passes_.prefill.phase = "rollout.prefill";
    passes_.decode.phase = "rollout.decode";
    for (PhasePasses* const phase : {&passes_.prefill, &passes_.decode}) {
      phase->attention = AttentionLengths(recipe.attention_multiple);
    }
  }

  RolloutPasses run() {
    while (is_waiting() || !finishes_.empty()) {
      while (is_waiting() && has_slot()) {
        prefill_batch();
      }
      if (!finishes_.empty()) {
        decode_to_next_finish();
      }
    }
    return std::move(passes_);
  }

 private:
  bool is_waiting() const { return next_ < samples_.size(); }
  bool has_slot() const { return static_cast<int64_t>(finishes_.size()) < recipe_.max_num_seqs; }

  int64_t prompt_tokens_left() const {
    const Sample& sample = samples_[next_];
    const bool is_cached = recipe_.prefix_cache == PrefixCache::kOn && next_ > 0 &&
                           samples_[next_ - 1].prompt == sample.prompt;
    return is_cached ? 0 : sample.prompt_tokens - computed_;
  }

  void prefill_batch() {
    int64_t batch = 0;
    int64_t prompts = 0;
    while (is_waiting() && has_slot()) {
      const int64_t left = prompt_tokens_left();
      const int64_t taken = std::min(left, recipe_.max_num_batched_tokens - batch);
      batch += taken;
      if (taken < left) {
        computed_ += taken;
        break;
      }
      if (left > 0) {
        ++prompts;
        passes_.prefill.attention.add_sequence(samples_[next_].prompt_tokens);
      }
      start();
    }
    if (batch > 0) {
      passes_.prefill.tokens += batch;
      ++passes_.prefill.rows[padded(batch, recipe_.prefill_multiple)];
    }
    if (prompts > 0) {
      ++passes_.prefill.head_rows[prompts];
    }
  }

  void start() {
    const int64_t decoded = samples_[next_].response_tokens - 1;
    if (decoded > 0) {
      finishes_.push(now_ + decoded);
    }
    computed_ = 0;
    ++next_;
  }

  void decode_to_next_finish() {
    const int64_t finish = finishes_.top();
    const auto running = static_cast<int64_t>(finishes_.size());
    const int64_t steps = finish - now_;
    const auto size =
        std::lower_bound(recipe_.decode_sizes.begin(), recipe_.decode_sizes.end(), running);
    passes_.decode.tokens += running * steps;
    passes_.decode.rows[size == recipe_.decode_sizes.end() ? running : *size] += steps;
    passes_.decode.head_rows[running] += steps;
    now_ = finish;
    while (!finishes_.empty() && finishes_.top() == finish) {
      finishes_.pop();
    }
  }

  const std::vector<Sample>& samples_;
  const Recipe& recipe_;
  RolloutPasses passes_;
  size_t next_ = 0;       ///< the first sample that waits
  int64_t computed_ = 0;  ///< tokens of its prompt that earlier batches computed
  int64_t now_ = 0;       ///< decode steps done
  /// After which step each running sample is finished, the earliest first.
  std::priority_queue<int64_t, std::vector<int64_t>, std::greater<>> finishes_;
};

}  // namespace

RolloutPasses schedule_rollout(const std::vector<Sample>& samples, const Recipe& recipe) {
  RolloutPasses passes = Engine(samples, recipe).run();
  passes.decode.attention.add_decoding(samples);
  for (PhasePasses* const phase : {&passes.prefill, &passes.decode}) {
    phase->routed_rows = phase->rows;
  }
  return passes;
}

}  // namespace nibblecore
