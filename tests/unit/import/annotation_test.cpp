// SPDX-License-Identifier: Apache-2.0
#include "model/import/annotation.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

TEST(Annotation, WorkersOfVerlArePhases) {
  EXPECT_EQ(phase_of_annotation("generate_sequences"), "rollout");
  EXPECT_EQ(phase_of_annotation("WorkerDict.actor_rollout_compute_log_prob"), "logprob");
  EXPECT_EQ(phase_of_annotation("compute_ref_log_prob"), "logprob");
  EXPECT_EQ(phase_of_annotation("## update_actor ##"), "train");
  EXPECT_EQ(phase_of_annotation("update_critic"), std::nullopt);
}

TEST(Annotation, PhasesOfTheTraceFormatAreThemselves) {
  for (const char* const phase :
       {"rollout.prefill", "rollout.decode", "rollout.decode12", "logprob", "train"}) {
    EXPECT_EQ(phase_of_annotation(phase), phase);
  }
  EXPECT_EQ(phase_of_annotation("training"), std::nullopt);
  EXPECT_EQ(phase_of_annotation("rollout.decodex"), std::nullopt);
  EXPECT_EQ(phase_of_annotation("rollout.decode" + std::string(19, '1')), std::nullopt);
}

TEST(Annotation, ProfilerStepsAreSteps) {
  EXPECT_EQ(step_of_annotation("ProfilerStep#1009"), 1009);
  EXPECT_EQ(step_of_annotation("ProfilerStep#9223372036854775807"),
            std::numeric_limits<int64_t>::max());
  for (const char* const name : {"ProfilerStep#", "ProfilerStep#1x", "ProfilerStep#-1",
                                 "ProfilerStep#9223372036854775808", "Step#1"}) {
    EXPECT_EQ(step_of_annotation(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace nibblecore
