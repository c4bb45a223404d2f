// SPDX-License-Identifier: Apache-2.0
#include "model/import/call_context.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

// A GEMM of this name inside these scopes, the innermost first.
ProfiledGemm inside(const char* name, const std::vector<Scope>& scopes) {
  ProfiledGemm gemm;
  gemm.gemm = find_gemm_operator(name);
  gemm.sequence = 99;
  Scopes pointers;
  for (const Scope& scope : scopes) {
    pointers.push_back(&scope);
  }
  read_scopes(pointers, gemm);
  return gemm;
}

Scope scope(ScopeKind kind, std::string_view name) {
  Scope result;
  result.kind = kind;
  result.name = name;
  result.sequence = 4;
  result.forward_thread = 1;
  result.id = 12;
  return result;
}

const Scope kLinear = scope(ScopeKind::kWrapper, "aten::linear");
const Scope kMatmul = scope(ScopeKind::kWrapper, "aten::matmul");
const Scope kMmBackward = scope(ScopeKind::kBackward, "MmBackward0");
const Scope kAddmmBackward = scope(ScopeKind::kBackward, "AddmmBackward0");
const Scope kCheckpoint = scope(ScopeKind::kBackward, "CheckpointFunctionBackward");
const Scope kCustom = scope(ScopeKind::kBackward, "FusedLossBackward");

TEST(CallContext, ForwardIsNamedByItsOuterWrapper) {
  EXPECT_EQ(inside("aten::mm", {}).base, "mm");
  EXPECT_EQ(inside("aten::mm", {kMatmul}).base, "matmul");
  const ProfiledGemm gemm = inside("aten::mm", {kMatmul, kLinear});
  EXPECT_EQ(gemm.base, "linear");
  EXPECT_EQ(gemm.pass, Pass::kForward);
  EXPECT_EQ(gemm.sequence, 99);
}

TEST(CallContext, BackwardBearsItsFunctionsNumber) {
  const ProfiledGemm gemm = inside("aten::mm", {kMmBackward, kLinear});
  EXPECT_EQ(gemm.pass, Pass::kBackward);
  EXPECT_EQ(gemm.function, "MmBackward0");
  EXPECT_EQ(gemm.function_call, 12);
  EXPECT_EQ(gemm.sequence, 4);
  EXPECT_EQ(gemm.forward_thread, 1);
  EXPECT_EQ(inside("aten::mm", {kMatmul, kCustom}).pass, Pass::kBackward);
}

TEST(CallContext, RecomputedForward) {
  EXPECT_EQ(inside("aten::mm", {kLinear, kCheckpoint}).pass, Pass::kRecompute);
  EXPECT_EQ(inside("aten::mm", {kMatmul, kLinear, kMmBackward}).pass, Pass::kRecompute);
  EXPECT_EQ(inside("aten::addmm", {kAddmmBackward}).pass, Pass::kRecompute);
  EXPECT_EQ(inside("aten::mm", {kMmBackward, kCheckpoint}).pass, Pass::kBackward);
  EXPECT_EQ(inside("aten::mm", {kLinear, kCheckpoint}).sequence, 99);
  EXPECT_EQ(inside("aten::mm", {kLinear, kCheckpoint}).base, "linear");
}

TEST(CallContext, Modules) {
  const Scope layer = scope(ScopeKind::kModule, "nn.Module: Linear_3");
  const Scope model = scope(ScopeKind::kModule, "nn.Module: Model_0");
  EXPECT_EQ(inside("aten::mm", {kLinear, layer, model}).module, "Model_0.Linear_3");
  Scope named = kLinear;
  named.module = "top.layers.0";
  EXPECT_EQ(inside("aten::mm", {named, layer}).module, "top.layers.0");
  named.module = "0123456789";
  std::string path(2000, 'x');
  path += "\xC3\xA9" + std::string(1023, 'y');
  named.module = path;
  EXPECT_EQ(inside("aten::mm", {named}).module, std::string(1023, 'y'));
}

TEST(CallContext, InnermostAnnotationsCount) {
  const Scope train = scope(ScopeKind::kAnnotation, "update_actor");
  const Scope rollout = scope(ScopeKind::kAnnotation, "generate_sequences");
  const Scope step = scope(ScopeKind::kAnnotation, "ProfilerStep#6");
  const Scope earlier = scope(ScopeKind::kAnnotation, "ProfilerStep#5");
  const ProfiledGemm gemm = inside("aten::mm", {step, train, rollout, earlier});
  EXPECT_EQ(gemm.phase, "train");
  EXPECT_EQ(gemm.step, 6);
  EXPECT_EQ(inside("aten::mm", {}).phase, "");
}

}  // namespace
}  // namespace nibblecore
