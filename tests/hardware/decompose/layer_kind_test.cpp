// SPDX-License-Identifier: Apache-2.0
#include "tb/decompose/layer_kind.hpp"

#include <gtest/gtest.h>

namespace nibblecore::tb {
namespace {

TEST(LayerKind, IsTheLastWordBeforeTheTensorsPart) {
  EXPECT_EQ(layer_kind("layers.0.self_attn.q_proj.weight"), "q_proj");
  EXPECT_EQ(layer_kind("rollout.decode0/layers.3.mlp.down_proj.x"), "down_proj");
  EXPECT_EQ(layer_kind("train/layers.3.mlp.up_proj.gy"), "up_proj");
  EXPECT_EQ(layer_kind("lm_head.weight"), "lm_head");
  EXPECT_EQ(layer_kind("a.b.dx"), "b");
}

TEST(LayerKind, KeepsAWordThatIsNoPart) {
  EXPECT_EQ(layer_kind("model.layers.0.q_proj"), "q_proj");
  EXPECT_EQ(layer_kind("model.weights"), "weights");
  EXPECT_EQ(layer_kind("mlp.experts.weight.0"), "0");
}

TEST(LayerKind, OfShortNames) {
  EXPECT_EQ(layer_kind("weight"), "weight");
  EXPECT_EQ(layer_kind("train/x"), "x");
  EXPECT_EQ(layer_kind(""), "");
}

}  // namespace
}  // namespace nibblecore::tb
