// SPDX-License-Identifier: Apache-2.0
#include "model/fill/layer_tensor.hpp"

#include <set>

#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

constexpr OperandSide kA = OperandSide::kA;
constexpr OperandSide kB = OperandSide::kB;

/// A GEMM of a layer of 6 inputs and 4 outputs on 10 tokens.
GemmRecord record_of(GemmKind kind) {
  GemmRecord record;
  record.phase = "train";
  record.layer = "l";
  record.kind = kind;
  record.m = kind == GemmKind::kWgrad ? 4 : 10;
  record.n = kind == GemmKind::kFprop ? 4 : 6;
  record.k = kind == GemmKind::kFprop ? 6 : kind == GemmKind::kDgrad ? 4 : 10;
  return record;
}

TEST(LayerTensor, TheThreeGemmsOfALayerShareItsTensors) {
  const GemmRecord fprop = record_of(GemmKind::kFprop);
  const GemmRecord dgrad = record_of(GemmKind::kDgrad);
  const GemmRecord wgrad = record_of(GemmKind::kWgrad);
  EXPECT_EQ(layer_tensor(GemmKind::kFprop, kA), LayerTensor::kX);
  EXPECT_EQ(layer_tensor(GemmKind::kFprop, kB), LayerTensor::kW);
  EXPECT_EQ(layer_tensor(GemmKind::kDgrad, kA), LayerTensor::kDy);
  EXPECT_EQ(tensor_identity(fprop, kA), tensor_identity(wgrad, kB));
  EXPECT_EQ(tensor_identity(fprop, kB), tensor_identity(dgrad, kB));
  EXPECT_EQ(tensor_identity(dgrad, kA), tensor_identity(wgrad, kA));
  const std::set<std::string> tensors{tensor_identity(fprop, kA), tensor_identity(fprop, kB),
                                      tensor_identity(dgrad, kA)};
  EXPECT_EQ(tensors.size(), 3);
}

TEST(LayerTensor, IsStoredAsALinearLayerStoresIt) {
  const auto expect_shape = [](GemmKind kind, OperandSide side, int64_t rows, int64_t columns) {
    const StoredShape shape = stored_shape(record_of(kind), side);
    EXPECT_EQ(shape.rows, rows) << name_of(kind);
    EXPECT_EQ(shape.columns, columns) << name_of(kind);
  };
  expect_shape(GemmKind::kFprop, kA, 10, 6);
  expect_shape(GemmKind::kFprop, kB, 4, 6);
  expect_shape(GemmKind::kDgrad, kA, 10, 4);
  expect_shape(GemmKind::kDgrad, kB, 4, 6);
  expect_shape(GemmKind::kWgrad, kA, 10, 4);
  expect_shape(GemmKind::kWgrad, kB, 10, 6);
}

/// Records that differ from fprop in one thing each.
std::vector<GemmRecord> variants() {
  std::vector<GemmRecord> records;
  const auto add = [&](auto change) {
    records.push_back(record_of(GemmKind::kFprop));
    change(records.back());
  };
  add([](GemmRecord& record) { record.phase = "logprob"; });
  add([](GemmRecord& record) { record.step = 1; });
  add([](GemmRecord& record) { record.rank = 1; });
  add([](GemmRecord& record) { record.m = 11; });
  return records;
}

TEST(LayerTensor, WeightsAreTheSameInAllPhasesWhereActivationsDiffer) {
  const GemmRecord fprop = record_of(GemmKind::kFprop);
  std::set<std::string> inputs{tensor_identity(fprop, kA)};
  for (const GemmRecord& variant : variants()) {
    EXPECT_EQ(tensor_identity(variant, kB), tensor_identity(fprop, kB));
    inputs.insert(tensor_identity(variant, kA));
  }
  EXPECT_EQ(inputs.size(), 5);
}

TEST(LayerTensor, LayersExpertsAndShapesDifferInBoth) {
  std::set<std::string> inputs{tensor_identity(record_of(GemmKind::kFprop), kA)};
  std::set<std::string> weights{tensor_identity(record_of(GemmKind::kFprop), kB)};
  const auto add = [&](auto change) {
    GemmRecord record = record_of(GemmKind::kFprop);
    change(record);
    inputs.insert(tensor_identity(record, kA));
    weights.insert(tensor_identity(record, kB));
  };
  add([](GemmRecord& record) { record.layer = "l2"; });
  add([](GemmRecord& record) { record.expert = 0; });
  add([](GemmRecord& record) { record.expert = 1; });
  add([](GemmRecord& record) { record.k = 7; });
  add([](GemmRecord& record) { record.batch = 2; });
  EXPECT_EQ(inputs.size(), 6);
  EXPECT_EQ(weights.size(), 6);
}

TEST(LayerTensor, RecomputedActivationsAreThoseOfTheFirstTime) {
  GemmRecord again = record_of(GemmKind::kFprop);
  again.phase = "train.recompute";
  EXPECT_EQ(tensor_identity(again, kA), tensor_identity(record_of(GemmKind::kFprop), kA));
}

TEST(LayerTensor, OutlierChannelsPersistOverPhasesWhereValuesDoNot) {
  const Fill fill;
  const SyntheticSpec fprop = synthetic_spec(fill, 7, record_of(GemmKind::kFprop), kA);
  for (const GemmRecord& variant : variants()) {
    const SyntheticSpec spec = synthetic_spec(fill, 7, variant, kA);
    EXPECT_NE(spec.seed, fprop.seed);
    EXPECT_EQ(spec.channel_seed, fprop.channel_seed);
  }
  GemmRecord other = record_of(GemmKind::kFprop);
  other.layer = "l2";
  EXPECT_NE(synthetic_spec(fill, 7, other, kA).channel_seed, fprop.channel_seed);
  EXPECT_NE(synthetic_spec(fill, 7, record_of(GemmKind::kFprop), kB).channel_seed,
            fprop.channel_seed);
  EXPECT_NE(synthetic_spec(fill, 8, record_of(GemmKind::kFprop), kA).seed, fprop.seed);
}

TEST(LayerTensor, IsDrawnFromWhatTheFillSaysOfIt) {
  Fill fill = parse_fill("x=t4:2,w=uniform,dy=laplace");
  parse_outliers("dy=0.5:16", fill);
  GemmRecord wgrad = record_of(GemmKind::kWgrad);
  wgrad.batch = 3;
  const SyntheticSpec dy = synthetic_spec(fill, 1, wgrad, kA);
  EXPECT_EQ(dy.rows, 30);
  EXPECT_EQ(dy.k, 4);
  EXPECT_EQ(dy.law.name, "laplace");
  EXPECT_EQ(dy.outlier_rate, 0.5);
  EXPECT_EQ(dy.outlier_factor, 16);
  const SyntheticSpec x = synthetic_spec(fill, 1, wgrad, kB);
  EXPECT_EQ(x.law.name, "t4");
  EXPECT_EQ(x.scale, 2);
  EXPECT_EQ(x.outlier_rate, 0);
  EXPECT_EQ(synthetic_spec(fill, 1, record_of(GemmKind::kDgrad), kB).law.name, "uniform");
}

TEST(LayerTensor, RefusesSizesBeyond64Bits) {
  GemmRecord record = record_of(GemmKind::kFprop);
  record.batch = int64_t{1} << 62;
  EXPECT_THROW(synthetic_spec(Fill{}, 1, record, kA), InputError);
}

}  // namespace
}  // namespace nibblecore
