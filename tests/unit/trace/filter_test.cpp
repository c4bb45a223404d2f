// SPDX-License-Identifier: Apache-2.0
#include "model/trace/filter.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::AllOf;
using testing::HasSubstr;

bool matches(const char* filter, const std::string& phase, GemmKind kind,
             const std::string& layer) {
  GemmRecord record;
  record.phase = phase;
  record.kind = kind;
  record.layer = layer;
  return Filter(filter).matches(record);
}

bool matches_phase(const char* filter, const std::string& phase) {
  return matches(filter, phase, GemmKind::kFprop, "layers.1.mlp.up_proj");
}

bool matches_layer(const char* filter, const std::string& layer) {
  return matches(filter, "train", GemmKind::kFprop, layer);
}

std::string error_of(const std::string& text) {
  return input_error([&] { const Filter filter(text); });
}

TEST(Filter, EmptyTakesAll) { EXPECT_TRUE(matches_phase("", "logprob")); }

TEST(Filter, PhaseMatchesByPrefix) {
  EXPECT_TRUE(matches_phase("phase=rollout.decode", "rollout.decode0"));
  EXPECT_TRUE(matches_phase("phase=rollout", "rollout.prefill"));
  EXPECT_FALSE(matches_phase("phase=rollout.decode", "rollout.prefill"));
  EXPECT_FALSE(matches_phase("phase=rollout.decode0", "rollout.decode"));
  EXPECT_FALSE(matches_phase("phase=decode", "rollout.decode0"));
  EXPECT_FALSE(matches_phase("phase=t.ain", "train"));
}

TEST(Filter, GemmMatchesExactly) {
  EXPECT_TRUE(matches("gemm=wgrad", "train", GemmKind::kWgrad, "l"));
  EXPECT_FALSE(matches("gemm=wgrad", "train", GemmKind::kDgrad, "l"));
}

TEST(Filter, LayerIsSearchedAsRegex) {
  EXPECT_TRUE(matches_layer(R"(layer=layers\.(0|17)\..*proj$)", "layers.17.mlp.up_proj"));
  EXPECT_FALSE(matches_layer(R"(layer=layers\.(0|17)\..*proj$)", "layers.7.mlp.up_proj"));
  EXPECT_TRUE(matches_layer("layer=mlp", "layers.1.mlp.up_proj"));
  EXPECT_FALSE(matches_layer("layer=^mlp", "layers.1.mlp.up_proj"));
}

TEST(Filter, EveryKeyMustMatch) {
  const char* const filter = "phase=train,gemm=dgrad,layer=q_proj";
  EXPECT_TRUE(matches(filter, "train", GemmKind::kDgrad, "layers.0.q_proj"));
  EXPECT_FALSE(matches(filter, "logprob", GemmKind::kDgrad, "layers.0.q_proj"));
  EXPECT_FALSE(matches(filter, "train", GemmKind::kFprop, "layers.0.q_proj"));
  EXPECT_FALSE(matches(filter, "train", GemmKind::kDgrad, "layers.0.k_proj"));
}

TEST(Filter, CommasOfARegexStayInIt) {
  EXPECT_TRUE(matches_layer("phase=train,layer=^x{2,3}$", "xxx"));
  EXPECT_FALSE(matches_layer("phase=train,layer=^x{2,3}$", "xxxx"));
  EXPECT_TRUE(matches_layer("layer=^x{2,3}$,phase=train", "xx"));
  EXPECT_FALSE(matches_layer("layer=^x{2,3}$,phase=logprob", "xx"));
  EXPECT_TRUE(matches_layer("layer=a=b", "a=b"));
}

TEST(Filter, MistakesAreNamed) {
  EXPECT_THAT(error_of("phases=train"), AllOf(HasSubstr("\"phases\""), HasSubstr("unknown")));
  EXPECT_THAT(error_of("layer=x,stage=1"), HasSubstr("\"stage\": is unknown"));
  EXPECT_THAT(error_of("gemm=forward"), AllOf(HasSubstr("\"gemm\""), HasSubstr("\"forward\"")));
  EXPECT_THAT(error_of("gemm=fprop,dgrad"), HasSubstr("\"fprop,dgrad\""));
  EXPECT_THAT(error_of("layer=(x"), AllOf(HasSubstr("\"layer\""), HasSubstr("regular expression")));
  EXPECT_THAT(error_of("phase=a,phase=b"), HasSubstr("\"phase\": is given twice"));
  EXPECT_THAT(error_of("layer=a,layer=b"), HasSubstr("\"layer\": is given twice"));
  EXPECT_THAT(error_of("phase="), HasSubstr("no value"));
  EXPECT_THAT(error_of("phase=,gemm=fprop"), HasSubstr("\"phase\": has no value"));
  EXPECT_THAT(error_of("train"), HasSubstr("does not start with a key"));
  EXPECT_THAT(error_of(",phase=train"), HasSubstr("does not start with a key"));
  EXPECT_THAT(error_of("=train"), HasSubstr("does not start with a key"));
  EXPECT_THAT(error_of("layer=" + std::string(100'000, '(')), HasSubstr("longer than"));
}

TEST(Filter, LongNamesDontExhaustTheStack) {
  EXPECT_FALSE(matches_layer("layer=^(.)*y", std::string(1024, 'x')));
}

}  // namespace
}  // namespace nibblecore
