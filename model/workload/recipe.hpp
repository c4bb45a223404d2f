// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/workload/length_law.hpp"

namespace nibblecore {

/// What fields of a recipe choose between; a record is a name in a recipe file.
template <typename Choice>
struct ChoiceRecord {
  std::string_view name;
  Choice choice;
};
template <typename Choice>
using Choices = std::array<ChoiceRecord<Choice>, 2>;

enum class PrefixCache { kOff, kOn };
/// Whether q, k, v, and gate, up, are one GEMM each (vLLM, Megatron) or three and two
/// (transformers library, FSDP).
enum class Projections { kSplit, kFused };
/// Whether a forward pass for log-probabilities runs.
enum class Pass { kSkip, kCompute };
/// Micro-batches: filled with samples in order, or made equally long.
enum class Packing { kInOrder, kBalanced };
enum class Recomputation { kNone, kFull };

inline constexpr Choices<PrefixCache> kPrefixCaches{
    {{"off", PrefixCache::kOff}, {"on", PrefixCache::kOn}}};
inline constexpr Choices<Projections> kProjections{
    {{"split", Projections::kSplit}, {"fused", Projections::kFused}}};
inline constexpr Choices<Pass> kPasses{{{"skip", Pass::kSkip}, {"compute", Pass::kCompute}}};
inline constexpr Choices<Packing> kPackings{
    {{"in-order", Packing::kInOrder}, {"balanced", Packing::kBalanced}}};
inline constexpr Choices<Recomputation> kRecomputations{
    {{"none", Recomputation::kNone}, {"full", Recomputation::kFull}}};

/// Into how many slices ranks cut the model and the samples.
struct Slicing {
  int64_t tensor = 1;
  int64_t expert = 1;
  int64_t data = 1;

  int64_t ranks() const { return tensor * data; }
};

/// How much a micro-batch holds at most.
struct MicroBatchLimit {
  int64_t tokens = 1;
  int64_t sequences = 0;  ///< 0: any number
};

enum class ExpertLawKind { kEven, kZipf, kDirichlet };

struct ExpertLawRecord {
  std::string_view name;
  ExpertLawKind kind;
};

inline constexpr std::array<ExpertLawRecord, 3> kExpertLaws{
    {{"even", ExpertLawKind::kEven},
     {"zipf", ExpertLawKind::kZipf},
     {"dirichlet", ExpertLawKind::kDirichlet}}};

/// Which share of the tokens each expert gets: even; Zipf, rank^-exponent; or one draw from a
/// symmetric Dirichlet law of this concentration. Experts in order of their shares can be put into
/// tiers, all of a tier with its mean share: a step has far fewer different GEMMs then.
struct ExpertLaw {
  ExpertLawKind kind = ExpertLawKind::kEven;
  double parameter = 0;
  int64_t tiers = 0;  ///< 0: each expert by itself
};

/// One step of reinforcement learning: how many samples of which length, and how rollout and
/// training batch them (docs/workloads.md describes each field).
struct Recipe {
  int64_t prompts = 1;
  int64_t samples = 1;  ///< responses a prompt
  LengthLaw prompt_tokens;
  LengthLaw response_tokens;
  int64_t mini_batch_prompts = 1;

  int64_t max_num_seqs = 1;
  int64_t max_num_batched_tokens = 1;
  PrefixCache prefix_cache = PrefixCache::kOff;
  int64_t prefill_multiple = 1;
  std::vector<int64_t> decode_sizes;  ///< ascending; empty: no padding
  Projections rollout_projections = Projections::kFused;
  Slicing rollout;

  Pass logprob = Pass::kCompute;
  Pass reference_logprob = Pass::kSkip;
  MicroBatchLimit logprob_micro_batch;

  MicroBatchLimit train_micro_batch;
  Packing packing = Packing::kInOrder;
  int64_t micro_batch_multiple = 1;
  Recomputation recomputation = Recomputation::kNone;
  Projections train_projections = Projections::kSplit;
  int64_t lora_rank = 0;  ///< 0: all weights are trained
  Slicing train;

  ExpertLaw expert_law;
  int64_t expert_multiple = 1;
  int64_t bf16_mlp_first = 0;  ///< layers from the first whose MLP is not quantized
  int64_t bf16_mlp_last = 0;
  /// Attention's own products are listed, lengths rounded up to a multiple of this; 0: left out.
  int64_t attention_multiple = 0;
};

}  // namespace nibblecore
