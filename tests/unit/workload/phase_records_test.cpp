// SPDX-License-Identifier: Apache-2.0
#include "model/workload/phase_records.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workload/small_workload.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

PhasePasses passes_of(const RowCounts& rows, const RowCounts& head_rows) {
  PhasePasses passes;
  passes.phase = "train";
  passes.tokens = total_rows(rows);
  passes.rows = rows;
  passes.head_rows = head_rows;
  passes.routed_rows = rows;
  return passes;
}

PhaseRule expert_rule() {
  PhaseRule rule;
  rule.experts_per_token = 2;
  rule.expert_shares = {1, 1, 1, 5};
  return rule;
}

TEST(PhaseRecords, GreaterRowsFirstLayersTimesPassesCounted) {
  Workload workload;
  add_phase(small_model(), passes_of({{4, 3}, {7, 1}}, {{2, 5}}), {}, workload);
  EXPECT_THAT(shown(workload, ""), ElementsAre("train layers.*.self_attn.qkv_proj fprop 7x16x8 x 2",
                                               "train layers.*.self_attn.qkv_proj fprop 4x16x8 x 6",
                                               "train layers.*.self_attn.o_proj fprop 7x8x8 x 2",
                                               "train layers.*.self_attn.o_proj fprop 4x8x8 x 6",
                                               "train layers.*.mlp.gate_up_proj fprop 7x32x8 x 2",
                                               "train layers.*.mlp.gate_up_proj fprop 4x32x8 x 6",
                                               "train layers.*.mlp.down_proj fprop 7x8x16 x 2",
                                               "train layers.*.mlp.down_proj fprop 4x8x16 x 6",
                                               "train lm_head fprop 2x32x8 x 5 bf16"));
  const PhaseTotals& totals = workload.phases.front();
  EXPECT_EQ(totals.tokens, 19);
  EXPECT_EQ(totals.passes, 4);
  EXPECT_EQ(totals.rows, 19);
  EXPECT_EQ(totals.fprop_macs, 19 * 1152 + 10 * 256);
  EXPECT_EQ(totals.macs(), totals.fprop_macs);
  EXPECT_EQ(totals.records, 9);
}

TEST(PhaseRecords, TrainingAddsBothGradientsAndTheirTransposes) {
  Workload workload;
  PhaseRule rule;
  rule.trains = true;
  rule.recomputation = Recomputation::kFull;
  add_phase(small_model(), passes_of({{5, 1}}, {{5, 1}}), rule, workload);
  EXPECT_THAT(shown(workload, "train layers.*.mlp.down_proj"),
              ElementsAre("train layers.*.mlp.down_proj fprop 5x8x16 x 2",
                          "train layers.*.mlp.down_proj dgrad 5x16x8 x 2",
                          "train layers.*.mlp.down_proj wgrad 8x16x5 x 2"));
  EXPECT_THAT(shown(workload, "train lm_head"), ElementsAre("train lm_head fprop 5x32x8 x 1 bf16",
                                                            "train lm_head dgrad 5x8x32 x 1 bf16",
                                                            "train lm_head wgrad 32x8x5 x 1 bf16"));
  // The head lies outside of what is recomputed.
  EXPECT_THAT(shown(workload, "train.recompute"), SizeIs(4));
  EXPECT_THAT(shown(workload, "train.recompute lm_head"), IsEmpty());
  EXPECT_EQ(phase_of(workload, "train").macs(), 3 * 5 * 1408);
  EXPECT_EQ(phase_of(workload, "train.recompute").macs(), 5 * 1152);
  for (const GemmRecord& record : workload.records) {
    const bool is_wgrad = record.kind == GemmKind::kWgrad;
    const bool is_fprop = record.kind == GemmKind::kFprop;
    EXPECT_EQ(record.transpose_a, is_wgrad ? Transpose::kYes : Transpose::kNo);
    EXPECT_EQ(record.transpose_b, is_fprop ? Transpose::kYes : Transpose::kNo);
  }
}

// 8 tokens, 2 experts each: shares of an eighth give 2 tokens, the greatest is cut to all 8; the 8
// that are left go evenly to three, 3, 3 and 2.
TEST(PhaseRecords, ExpertsOfEqualRowsAreOneRecord) {
  Workload workload;
  add_phase(small_expert_model(), passes_of({{8, 10}}, {}), expert_rule(), workload);
  EXPECT_THAT(shown(workload, "train layers.*.mlp.experts.down_proj"),
              ElementsAre("train layers.*.mlp.experts.down_proj fprop 8x8x6 x 20",
                          "train layers.*.mlp.experts.down_proj fprop 3x8x6 x 40",
                          "train layers.*.mlp.experts.down_proj fprop 2x8x6 x 20"));
  EXPECT_THAT(shown(workload, "train layers.*.mlp.gate "),
              ElementsAre("train layers.*.mlp.gate fprop 8x4x8 x 20 bf16"));
  for (const GemmRecord& record : workload.records) {
    EXPECT_FALSE(record.expert.has_value());
  }
}

TEST(PhaseRecords, ExpertsCanBePaddedAndShared) {
  PhaseRule rule = expert_rule();
  rule.expert_multiple = 4;
  Workload padded_experts;
  add_phase(small_expert_model(), passes_of({{8, 1}}, {}), rule, padded_experts);
  EXPECT_THAT(shown(padded_experts, "train layers.*.mlp.experts.down_proj"),
              ElementsAre("train layers.*.mlp.experts.down_proj fprop 8x8x6 x 2",
                          "train layers.*.mlp.experts.down_proj fprop 4x8x6 x 6"));
  rule = expert_rule();
  rule.expert_slices = 2;  // the first two experts are the rank's
  Workload shared;
  add_phase(small_expert_model(), passes_of({{8, 1}}, {}), rule, shared);
  EXPECT_THAT(shown(shared, "train layers.*.mlp.experts.down_proj"),
              ElementsAre("train layers.*.mlp.experts.down_proj fprop 3x8x6 x 4"));
}

TEST(PhaseRecords, ExpertsWithoutTokensComputeNothing) {
  PhaseRule rule = expert_rule();
  rule.expert_shares = {1, 8, 4, 1};
  Workload workload;
  add_phase(small_expert_model(), passes_of({{1, 1}}, {}), rule, workload);
  EXPECT_THAT(shown(workload, "train layers.*.mlp.experts.down_proj"),
              ElementsAre("train layers.*.mlp.experts.down_proj fprop 1x8x6 x 4"));
}

TEST(PhaseRecords, LoraTrainsItsFactorsAlone) {
  Workload workload;
  PhaseRule rule;
  rule.trains = true;
  rule.lora_rank = 2;
  add_phase(small_model(), passes_of({{5, 1}}, {{5, 1}}), rule, workload);
  EXPECT_THAT(shown(workload, "train layers.*.mlp.down_proj"),
              ElementsAre("train layers.*.mlp.down_proj fprop 5x8x16 x 2",
                          "train layers.*.mlp.down_proj.lora_A fprop 5x2x16 x 2 bf16",
                          "train layers.*.mlp.down_proj.lora_B fprop 5x8x2 x 2 bf16",
                          "train layers.*.mlp.down_proj dgrad 5x16x8 x 2",
                          "train layers.*.mlp.down_proj.lora_A dgrad 5x16x2 x 2 bf16",
                          "train layers.*.mlp.down_proj.lora_B dgrad 5x2x8 x 2 bf16",
                          "train layers.*.mlp.down_proj.lora_A wgrad 2x16x5 x 2 bf16",
                          "train layers.*.mlp.down_proj.lora_B wgrad 8x2x5 x 2 bf16"));
  EXPECT_THAT(shown(workload, "train lm_head"), SizeIs(2));  // no wgrad, no factors
}

TEST(PhaseRecords, AttentionsProductsWhereTheyAreAskedFor) {
  PhasePasses passes = passes_of({{5, 1}}, {{5, 1}});
  passes.attention = AttentionLengths(4);
  passes.attention.add_sequence(5);
  PhaseRule rule;
  rule.trains = true;
  Workload workload;
  add_phase(small_model(), passes, rule, workload);
  EXPECT_THAT(shown(workload, "train layers.*.self_attn.scores"),
              ElementsAre("train layers.*.self_attn.scores fprop 8x8x4 x 2 x 2 bf16",
                          "train layers.*.self_attn.scores dgrad 8x4x8 x 2 x 2 bf16",
                          "train layers.*.self_attn.scores wgrad 8x4x8 x 2 x 2 bf16"));
  EXPECT_THAT(shown(workload, "train layers.*.self_attn.values fprop"),
              ElementsAre("train layers.*.self_attn.values fprop 8x4x8 x 2 x 2 bf16"));
  // 15 pairs, 2 products of 4, 2 heads, 2 layers, three times.
  EXPECT_EQ(phase_of(workload, "train").attention_macs, 15 * 2 * 4 * 2 * 2 * 3);
}

TEST(PhaseRecords, RefusesMoreThan64Bits) {
  Workload workload;
  EXPECT_THROW(add_phase(small_model(), passes_of({{int64_t{1} << 60, 1}}, {}), {}, workload),
               InputError);
}

}  // namespace
}  // namespace nibblecore
