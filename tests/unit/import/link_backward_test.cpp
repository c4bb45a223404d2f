// SPDX-License-Identifier: Apache-2.0
#include "model/import/link_backward.hpp"

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

ProfiledGemm forward(const char* name, int64_t sequence, const GemmShape& shape) {
  ProfiledGemm gemm;
  gemm.gemm = find_gemm_operator(name);
  gemm.sequence = sequence;
  gemm.shape = shape;
  return gemm;
}

ProfiledGemm backward(const char* function, int64_t sequence, const GemmShape& shape) {
  ProfiledGemm gemm = forward(shape.batch == 1 ? "aten::mm" : "aten::bmm", sequence, shape);
  gemm.pass = Pass::kBackward;
  gemm.function = function;
  gemm.function_call = sequence;
  return gemm;
}

ImportCounts link(std::vector<ProfiledGemm>& gemms) {
  ImportCounts counts;
  link_backward(gemms, counts);
  return counts;
}

TEST(LinkBackward, BySequenceNumber) {
  std::vector<ProfiledGemm> gemms{
      forward("aten::addmm", 4, {7, 5, 3}), forward("aten::addmm", 6, {7, 2, 5}),
      backward("AddmmBackward0", 6, {7, 5, 2}), backward("AddmmBackward0", 6, {2, 5, 7}),
      backward("AddmmBackward0", 4, {5, 3, 7})};
  const ImportCounts counts = link(gemms);
  EXPECT_EQ(gemms[2].forward, 1U);
  EXPECT_EQ(gemms[3].forward, 1U);
  EXPECT_EQ(gemms[4].forward, 0U);
  EXPECT_EQ(gemms[2].kind, GemmKind::kDgrad);
  EXPECT_EQ(gemms[3].kind, GemmKind::kWgrad);
  EXPECT_EQ(gemms[4].kind, GemmKind::kWgrad);
  EXPECT_TRUE(gemms[0].has_backward);
  EXPECT_EQ(counts.backward.at("mm"), 3);
  EXPECT_EQ(counts.linked.at("mm"), 3);
  EXPECT_EQ(counts.ambiguous, 0);
}

// Operators that need no gradient bear the number of the next one that does.
TEST(LinkBackward, TheLastOfItsNumberCounts) {
  std::vector<ProfiledGemm> gemms{
      forward("aten::mm", 4, {7, 5, 3}), forward("aten::mm", 4, {7, 5, 3}),
      forward("aten::addmm", 4, {7, 5, 3}), forward("aten::mm", 4, {7, 9, 3}),
      backward("MmBackward0", 4, {7, 3, 5})};
  link(gemms);
  EXPECT_EQ(gemms[4].forward, 1U);
}

TEST(LinkBackward, NotAcrossProcessesThreadsOrTime) {
  std::vector<ProfiledGemm> gemms{
      forward("aten::mm", 4, {7, 5, 3}), forward("aten::mm", 4, {7, 5, 3}),
      backward("MmBackward0", 4, {7, 3, 5}), forward("aten::mm", 4, {7, 5, 3})};
  gemms[0].process = 1;
  gemms[1].thread = 3;
  gemms[2].forward_thread = 2;
  const ImportCounts counts = link(gemms);
  EXPECT_EQ(gemms[2].forward, std::nullopt);
  EXPECT_EQ(counts.backward.at("mm"), 1);
  EXPECT_EQ(counts.linked.count("mm"), 0U);
  EXPECT_EQ(counts.ambiguous, 1);
  gemms[2].forward_thread = 3;
  link(gemms);
  EXPECT_EQ(gemms[2].forward, 1U);
}

TEST(LinkBackward, NoNumberNoLink) {
  std::vector<ProfiledGemm> gemms{forward("aten::mm", -1, {7, 5, 3}),
                                  backward("MmBackward0", -1, {7, 3, 5})};
  link(gemms);
  EXPECT_EQ(gemms[1].forward, std::nullopt);
}

TEST(LinkBackward, WeightsStoredByInputs) {
  std::vector<ProfiledGemm> gemms{
      forward("aten::addmm", 4, {7, 5, 3}), backward("AddmmBackward0", 4, {3, 5, 7}),
      forward("aten::addmm", 5, {7, 5, 3}), backward("AddmmBackward0", 5, {5, 3, 7})};
  link(gemms);
  EXPECT_TRUE(gemms[0].weights_by_inputs);
  EXPECT_FALSE(gemms[2].weights_by_inputs);
}

// Tokens = outputs: by operands, by strides, by order.
TEST(LinkBackward, AmbiguousShapes) {
  const auto pair = [](const char* function) {
    return std::vector<ProfiledGemm>{
        forward(function[0] == 'M' ? "aten::mm" : "aten::addmm", 4, {4, 4, 3}),
        backward(function, 4, {4, 3, 4}), backward(function, 4, {4, 3, 4})};
  };
  std::vector<ProfiledGemm> gemms = pair("MmBackward0");
  ImportCounts counts = link(gemms);
  EXPECT_EQ(counts.ambiguous, 2);
  EXPECT_EQ(counts.settled_by_order, 2);
  EXPECT_EQ(gemms[1].kind, GemmKind::kWgrad);
  EXPECT_EQ(gemms[2].kind, GemmKind::kDgrad);

  gemms = pair("AddmmBackward0");
  link(gemms);
  EXPECT_EQ(gemms[1].kind, GemmKind::kDgrad);
  EXPECT_EQ(gemms[2].kind, GemmKind::kWgrad);

  gemms[1].storage.front() = Storage::kTransposed;
  gemms[2].storage.front() = Storage::kRows;
  counts = link(gemms);
  EXPECT_EQ(counts.settled_by_strides, 2);
  EXPECT_EQ(gemms[1].kind, GemmKind::kWgrad);
  EXPECT_EQ(gemms[2].kind, GemmKind::kDgrad);

  const TensorIdentity x{1, 0, 12};
  const TensorIdentity w{2, 0, 12};
  const TensorIdentity dy{3, 0, 16};
  gemms[0].operands = {{x, w}};
  gemms[1].operands = {{dy, w}};
  gemms[2].operands = {{dy, x}};
  counts = link(gemms);
  EXPECT_EQ(counts.settled_by_operands, 2);
  EXPECT_EQ(gemms[1].kind, GemmKind::kDgrad);
  EXPECT_EQ(gemms[2].kind, GemmKind::kWgrad);
}

}  // namespace
}  // namespace nibblecore
