// SPDX-License-Identifier: Apache-2.0
#include "model/import/operator_names.hpp"

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

TEST(OperatorNames, KnownOperators) {
  ASSERT_NE(find_gemm_operator("aten::addmm"), nullptr);
  EXPECT_EQ(find_gemm_operator("aten::addmm")->first, 1);
  EXPECT_EQ(find_gemm_operator("aten::baddbmm")->rank, 3);
  EXPECT_EQ(find_gemm_operator("mm"), nullptr);
}

TEST(OperatorNames, Classes) {
  EXPECT_EQ(classify_name("aten::mm"), NameClass::kGemm);
  EXPECT_EQ(classify_name("aten::linear"), NameClass::kWrapper);
  EXPECT_EQ(classify_name("aten::_grouped_mm"), NameClass::kGrouped);
  EXPECT_EQ(classify_name("AddmmBackward0"), NameClass::kBackward);
  EXPECT_EQ(classify_name("CheckpointFunctionBackward"), NameClass::kBackward);
  EXPECT_EQ(classify_name("autograd::engine::evaluate_function: MmBackward0"), NameClass::kOther);
  EXPECT_EQ(classify_name(""), NameClass::kOther);
  EXPECT_EQ(classify_name("Backward"), NameClass::kOther);
}

TEST(OperatorNames, WhatLooksLikeAGemm) {
  for (const char* const name :
       {"_C::cutlass_scaled_mm", "_C::awq_gemm", "aten::_weight_int4pack_mm", "vllm::fused_moe",
        "aten::mkldnn_linear", "fbgemm::f8f8bf16_rowwise", "te::Linear_fwd", "sgemm_128x64"}) {
    EXPECT_EQ(classify_name(name), NameClass::kUnknown) << name;
  }
  for (const char* const name :
       {"record_param_comms", "fbgemm::permute_sparse_features", "aten::upsample_bilinear2d",
        "aten::add", "aten::mmap", "linear of a user"}) {
    EXPECT_EQ(classify_name(name), NameClass::kOther) << name;
  }
}

}  // namespace
}  // namespace nibblecore
