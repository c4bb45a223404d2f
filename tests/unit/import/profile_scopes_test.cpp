// SPDX-License-Identifier: Apache-2.0
#include "model/import/profile_scopes.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nibblecore {
namespace {

using testing::ElementsAre;

TEST(ProfileScopes, KindAndNameByClass) {
  ProfileScopes scopes;
  Scope module;
  module.kind = ScopeKind::kModule;
  const uint32_t wrapper = scopes.add("aten::linear", NameClass::kWrapper, {});
  const uint32_t backward = scopes.add("MmBackward0", NameClass::kBackward, {});
  const uint32_t annotation = scopes.add("## update_actor ##", NameClass::kOther, {});
  const uint32_t step = scopes.add("ProfilerStep#4", NameClass::kOther, {});
  const uint32_t linear = scopes.add("nn.Module: Linear_0", NameClass::kOther, module);
  EXPECT_EQ(scopes[wrapper].kind, ScopeKind::kWrapper);
  EXPECT_EQ(scopes[backward].kind, ScopeKind::kBackward);
  EXPECT_EQ(scopes[annotation].kind, ScopeKind::kAnnotation);
  EXPECT_EQ(scopes[annotation].name, "train");
  EXPECT_EQ(scopes[step].name, "ProfilerStep#4");
  EXPECT_EQ(scopes[linear].kind, ScopeKind::kModule);
  EXPECT_NE(scopes[wrapper].id, scopes[backward].id);
}

TEST(ProfileScopes, NamesAreCut) {
  ProfileScopes scopes;
  const std::string long_name = "\xC3\xA9" + std::string(255, 'x');
  const uint32_t number = scopes.add(long_name, NameClass::kUnknown, {});
  EXPECT_EQ(scopes[number].name, std::string(255, 'x'));
}

TEST(ProfileScopes, CallersAreCountedByWhatIsInside) {
  ProfileScopes scopes;
  const uint32_t linear = scopes.add("aten::linear", NameClass::kWrapper, {});
  const uint32_t custom = scopes.add("my_gemm", NameClass::kUnknown, {});
  const uint32_t grouped = scopes.add("aten::_grouped_mm", NameClass::kGrouped, {});
  scopes.add("aten::matmul", NameClass::kWrapper, {});
  scopes.add("other_gemm", NameClass::kUnknown, {});
  scopes.add("aten::_grouped_mm", NameClass::kGrouped, {});
  scopes.add("MmBackward0", NameClass::kBackward, {});
  EXPECT_THAT(scopes.around({custom, linear, grouped}), ElementsAre(&scopes[linear]));
  ImportCounts counts;
  scopes.count_callers(counts);
  EXPECT_EQ(counts.skipped.at(SkipReason::kWrapper), 3);
  EXPECT_EQ(counts.skipped.at(SkipReason::kEmptyWrapper), 1);
  EXPECT_EQ(counts.skipped.at(SkipReason::kGrouped), 1);
  EXPECT_EQ(counts.unknown_operators.at("other_gemm"), 1);
  EXPECT_EQ(counts.all_skipped(), 6);
}

}  // namespace
}  // namespace nibblecore
