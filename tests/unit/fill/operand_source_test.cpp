// SPDX-License-Identifier: Apache-2.0
#include "model/fill/operand_source.hpp"

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/formats/bf16.hpp"
#include "model/trace/manifest.hpp"
#include "model/trace/safetensors_writer.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// A matrix [rows, k] as numbers.
std::vector<std::vector<float>> values_of(const MatrixView& view) {
  std::vector<std::vector<float>> rows(static_cast<size_t>(view.rows));
  for (size_t row = 0; row < rows.size(); ++row) {
    rows[row].resize(static_cast<size_t>(view.k));
    load_row(view, static_cast<int64_t>(row), rows[row].data());
  }
  return rows;
}

std::vector<std::vector<float>> transposed(const std::vector<std::vector<float>>& rows) {
  std::vector<std::vector<float>> columns(rows.at(0).size(), std::vector<float>(rows.size()));
  for (size_t row = 0; row < rows.size(); ++row) {
    for (size_t column = 0; column < columns.size(); ++column) {
      columns[column][row] = rows[row][column];
    }
  }
  return columns;
}

/// A layer of 40 inputs and 12 outputs on 24 tokens, two products a call; then one token, and a
/// record with operands of its own.
class OperandSourceTest : public testing::Test {
 protected:
  OperandSourceTest() {
    const std::vector<float> ones(6, 1.0F);
    const Tensor own{
        "own", DType::kF32, {2, 3}, reinterpret_cast<const std::byte*>(ones.data()), 24};
    write_safetensors(folder_.path() / "t.safetensors", {own});
    folder_.write(kManifestName,
                  line(0, "train", "fprop", R"("M":24,"N":12,"K":40,"batch":2,"ta":1)") +
                      line(1, "train", "dgrad", R"("M":24,"N":40,"K":12,"batch":2)") +
                      line(2, "train", "wgrad", R"("M":12,"N":40,"K":24,"batch":2)") +
                      line(3, "rollout.decode0", "fprop", R"("M":1,"N":12,"K":40,"batch":2)") +
                      line(4, "train", "fprop",
                           R"("M":2,"N":2,"K":3,"a":["t.safetensors","own"],"ta":0,)"
                           R"("b":["t.safetensors","own"],"tb":1)"));
    trace_.emplace(folder_.path());
  }

  OperandSource source(const Fill& fill, int threads = 1) const {
    return {*trace_, fill, 5, threads};
  }

 private:
  static std::string line(int id, const std::string& phase, const std::string& kind,
                          const std::string& shape) {
    return R"({"id":)" + std::to_string(id) + R"(,"phase":")" + phase +
           R"(","layer":"l","gemm":")" + kind + R"(","quantize":true,)" + shape + "}\n";
  }

  TemporaryFolder folder_;

 protected:
  std::optional<Trace> trace_;
};

TEST_F(OperandSourceTest, TheGemmsOfALayerMultiplyTheSameTensors) {
  const OperandSource source = this->source(parse_fill("t4"));
  const std::vector<GemmRecord>& records = source.records();
  for (const int64_t i : {0, 1}) {
    const HeldOperands fprop = source.operands(records[0], i);
    const HeldOperands dgrad = source.operands(records[1], i);
    const HeldOperands wgrad = source.operands(records[2], i);
    const auto x = values_of(fprop.operands().a);
    const auto w = values_of(fprop.operands().b);
    const auto dy = values_of(dgrad.operands().a);
    EXPECT_EQ(x.size(), 24);
    EXPECT_EQ(w.size(), 12);
    // B of dgrad is W^T's transpose along out, both operands of wgrad lie along the tokens.
    EXPECT_EQ(values_of(dgrad.operands().b), transposed(w));
    EXPECT_EQ(values_of(wgrad.operands().a), transposed(dy));
    EXPECT_EQ(values_of(wgrad.operands().b), transposed(x));
    const HeldOperands decode = source.operands(records[3], i);
    EXPECT_EQ(values_of(decode.operands().b), w);
    EXPECT_NE(values_of(decode.operands().a).at(0), x.at(0));
  }
}

TEST_F(OperandSourceTest, ProductsOfABatchDiffer) {
  const OperandSource source = this->source({});
  const HeldOperands first = source.operands(source.records()[0], 0);
  const HeldOperands second = source.operands(source.records()[0], 1);
  EXPECT_NE(values_of(first.operands().a), values_of(second.operands().a));
  EXPECT_NE(values_of(first.operands().b), values_of(second.operands().b));
}

TEST_F(OperandSourceTest, BitsDependOnTheSeedAndNotOnThreads) {
  const OperandSource one = source({}, 1);
  const OperandSource three = source({}, 3);
  const OperandSource reseeded(*trace_, Fill{}, 6, 1);
  const GemmRecord& record = one.records()[2];
  const auto a = values_of(one.operands(record, 1).operands().a);
  EXPECT_EQ(values_of(three.operands(record, 1).operands().a), a);
  EXPECT_NE(values_of(reseeded.operands(record, 1).operands().a), a);
}

TEST_F(OperandSourceTest, Bf16IsF32RoundedToNearestEven) {
  Fill fill = parse_fill("gaussian:3");
  const OperandSource bf16 = source(fill);
  fill.type = ValueType::kF32;
  const OperandSource f32 = source(fill);
  const GemmRecord& record = bf16.records()[0];
  EXPECT_EQ(bf16.types(record), std::pair(ValueType::kBf16, ValueType::kBf16));
  EXPECT_EQ(f32.types(record), std::pair(ValueType::kF32, ValueType::kF32));
  const HeldOperands rounded = bf16.operands(record, 0);
  const HeldOperands full = f32.operands(record, 0);
  EXPECT_EQ(rounded.operands().a.type, ValueType::kBf16);
  EXPECT_EQ(full.operands().a.type, ValueType::kF32);
  auto expected = values_of(full.operands().a);
  int changed = 0;
  for (auto& row : expected) {
    for (float& value : row) {
      changed += round_to_bf16(value) != value ? 1 : 0;
      value = round_to_bf16(value);
    }
  }
  EXPECT_EQ(values_of(rounded.operands().a), expected);
  EXPECT_GT(changed, 900);  // of 960
}

TEST_F(OperandSourceTest, OutliersAreWholeChannelsOfXInTheirExactNumber) {
  Fill fill = parse_fill("gaussian");
  const OperandSource plain = source(fill);
  parse_outliers("0.11:64", fill);  // 4.4 of 40 channels
  const OperandSource source = this->source(fill);
  std::vector<std::vector<size_t>> channels;
  for (const size_t position : {size_t{0}, size_t{3}}) {
    const GemmRecord& record = source.records()[position];
    const auto x = transposed(values_of(source.operands(record, 1).operands().a));
    const auto without = transposed(values_of(plain.operands(record, 1).operands().a));
    channels.emplace_back();
    for (size_t channel = 0; channel < x.size(); ++channel) {
      const float factor = x[channel][0] / without[channel][0];
      ASSERT_TRUE(factor == 1 || factor == 64) << factor;
      for (size_t token = 0; token < x[channel].size(); ++token) {
        ASSERT_EQ(x[channel][token], without[channel][token] * factor);
      }
      if (factor == 64) {
        channels.back().push_back(channel);
      }
    }
    EXPECT_EQ(values_of(source.operands(record, 1).operands().b),
              values_of(plain.operands(record, 1).operands().b));
  }
  EXPECT_EQ(channels[0].size(), 4);
  EXPECT_EQ(channels[1], channels[0]);  // in decoding as in training
}

TEST_F(OperandSourceTest, RecordsWithOperandsKeepTheirs) {
  const OperandSource filling = source({});
  const GemmRecord& record = filling.records()[4];
  EXPECT_FALSE(record.is_filled());
  EXPECT_TRUE(filling.records()[0].is_filled());
  const HeldOperands held = filling.operands(record, 0);
  EXPECT_THAT(values_of(held.operands().a),
              ElementsAre(ElementsAre(1, 1, 1), ElementsAre(1, 1, 1)));
  EXPECT_EQ(filling.types(record), std::pair(ValueType::kF32, ValueType::kF32));

  const OperandSource plain(*trace_, std::nullopt, 5, 1);
  EXPECT_FALSE(plain.records()[0].has_operands());
  EXPECT_THAT(input_error([&] { plain.operands(plain.records()[0], 0); }),
              HasSubstr("gemms.jsonl:1"));
}

TEST_F(OperandSourceTest, RefusesWhatDoesNotFitIntoMemory) {
  const OperandSource source = this->source({});
  GemmRecord record = source.records()[0];
  source.require_room(record, "here");
  record.m = record.n = record.k = int64_t{1} << 20;  // 8 TiB
  EXPECT_THAT(input_error([&] { source.require_room(record, "here"); }),
              AllOf(HasSubstr("here"), HasSubstr("8796093022208 bytes; this machine has")));
  record.m = record.k = int64_t{1} << 31;
  record.n = 1;
  EXPECT_THAT(input_error([&] { source.require_room(record, "here"); }),
              HasSubstr("does not fit 64 bits"));
  record.a.reset();
  source.require_room(record, "here");  // nothing is made for it
}

}  // namespace
}  // namespace nibblecore
