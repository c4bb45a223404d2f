// SPDX-License-Identifier: Apache-2.0
#include "model/import/layer_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nibblecore {
namespace {

using testing::ElementsAre;

ProfiledGemm gemm(std::string_view base) {
  ProfiledGemm result;
  result.gemm = find_gemm_operator("aten::mm");
  result.base = base;
  return result;
}

ProfiledGemm with_weights(std::string_view base, int64_t storage) {
  ProfiledGemm result = gemm(base);
  result.operands = {{TensorIdentity{1, 0, 8}, TensorIdentity{storage, 0, 8}}};
  return result;
}

std::vector<std::string> names(std::vector<ProfiledGemm> gemms) {
  name_layers(gemms);
  std::vector<std::string> result;
  for (const ProfiledGemm& named : gemms) {
    result.push_back(named.layer);
  }
  return result;
}

TEST(LayerNames, OrdinalsByPhaseAndStep) {
  std::vector<ProfiledGemm> gemms(6, gemm("linear"));
  gemms[1].base = "bmm";
  gemms[3].phase = "train";
  gemms[4].phase = "train";
  gemms[5].phase = "train";
  gemms[5].step = 1;
  EXPECT_THAT(names(gemms),
              ElementsAre("linear.0", "bmm.0", "linear.1", "linear.0", "linear.1", "linear.0"));
}

TEST(LayerNames, SameWeightsSameLayer) {
  std::vector<ProfiledGemm> gemms{with_weights("linear", 50), with_weights("linear", 40),
                                  with_weights("linear", 50), with_weights("mm", 60)};
  gemms[2].phase = "train";
  EXPECT_THAT(names(gemms), ElementsAre("linear.0", "linear.1", "linear.0", "mm.0"));
  gemms[2].operands->back() = TensorIdentity{50, 8, 8};
  EXPECT_THAT(names(gemms), ElementsAre("linear.0", "linear.1", "linear.2", "mm.0"));
}

TEST(LayerNames, BatchedProductsHaveNoWeights) {
  std::vector<ProfiledGemm> gemms(2, with_weights("bmm", 50));
  gemms[0].gemm = gemms[1].gemm = find_gemm_operator("aten::bmm");
  EXPECT_THAT(names(gemms), ElementsAre("bmm.0", "bmm.1"));
}

TEST(LayerNames, BackwardTakesItsForwardsName) {
  std::vector<ProfiledGemm> gemms(3, gemm("linear"));
  gemms[0].module = "layers.0.q";
  gemms[1].pass = gemms[2].pass = Pass::kBackward;
  gemms[1].function = gemms[2].function = "MmBackward0";
  gemms[1].forward = 0;
  EXPECT_THAT(names(gemms), ElementsAre("layers.0.q", "layers.0.q", "MmBackward0.0"));
}

}  // namespace
}  // namespace nibblecore
