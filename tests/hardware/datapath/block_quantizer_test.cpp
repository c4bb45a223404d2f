// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/block_quantizer.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/e8m0.hpp"
#include "model/quantize/hif4.hpp"
#include "model/quantize/mxfp4.hpp"
#include "tests/support/random_blocks.hpp"

namespace nibblecore::hw {
namespace {

/// What a block is to become, by the golden quantizer and the host's FP32 subtraction.
struct Expected {
  std::vector<uint8_t> scale;
  std::vector<uint8_t> codes;  ///< one a byte
  std::vector<float> values;   ///< decoded
};

Expected golden(const std::vector<float>& values, const Mxfp4Rule& rule) {
  const Mxfp4Unit unit = quantize_mxfp4(values.data(), rule);
  Expected expected{{unit.scale}, {unit.codes.begin(), unit.codes.end()}, {}};
  for (const uint8_t code : unit.codes) {
    expected.values.push_back(decode_e2m1(code, unit.scale, kE8m0Format));
  }
  return expected;
}

Expected golden(const std::vector<float>& values, const Hif4Rule& rule) {
  const Hif4Unit unit = quantize_hif4(values.data(), rule);
  const auto scale = pack_hif4_scale(unit);
  const auto decoded = decode(unit);
  return {{scale.begin(), scale.end()},
          {unit.codes.begin(), unit.codes.end()},
          {decoded.begin(), decoded.end()}};
}

Expected golden(const std::vector<float>& values, const QuantizerJob& job) {
  return std::visit([&](const auto& rule) { return golden(values, rule); }, job.rule);
}

std::vector<float> differences(const std::vector<float>& values, const Expected& expected) {
  std::vector<float> result;
  for (size_t i = 0; i < values.size(); ++i) {
    result.push_back(values[i] - expected.values[i]);
  }
  return result;
}

/// Nibbles two a byte, zeros behind them up to `Bytes`.
template <size_t Bytes>
std::array<uint8_t, Bytes> nibbles(const std::vector<uint8_t>& values) {
  std::array<uint8_t, Bytes> bytes{};
  for (size_t i = 0; i < values.size(); ++i) {
    bytes.at(i / 2) = static_cast<uint8_t>(bytes.at(i / 2) + (i % 2 == 0 ? 1 : 16) * values[i]);
  }
  return bytes;
}

std::array<uint8_t, 4> scale_of(const Expected& expected) {
  std::array<uint8_t, 4> bytes{};
  std::copy(expected.scale.begin(), expected.scale.end(), bytes.begin());
  return bytes;
}

UnquantizedBlock random_unquantized(int block, std::mt19937& random) {
  const auto family = test::kBlockFamilies[random() % test::kBlockFamilies.size()];
  UnquantizedBlock result;
  result.tag = {static_cast<int64_t>(random() % 100), static_cast<int64_t>(random() % 100)};
  if (block == 32) {
    // What lies behind the 32 values of a block must not count.
    result.values = test::random_block<64>(test::BlockFamily::kNonFinite, random);
    const auto values = test::random_block<32>(family, random);
    std::copy(values.begin(), values.end(), result.values.begin());
  } else {
    result.values = test::random_block<64>(family, random);
  }
  return result;
}

std::vector<float> values_of(const UnquantizedBlock& block, int count) {
  std::vector<float> values(static_cast<size_t>(count));
  std::transform(block.values.begin(), block.values.begin() + count, values.begin(), bits_float);
  return values;
}

class BlockQuantizer : public testing::TestWithParam<const char*> {
 protected:
  static QuantizerJob job(ResidualPattern pattern) {
    const std::string name = GetParam();
    if (name == "amct" || name == "model_a6_rne") {
      return {std::get<Hif4Rule>(preset(kHif4, name).rule), pattern};
    }
    return {std::get<Mxfp4Rule>(preset(kMxfp4, name).rule), pattern};
  }
};

TEST_P(BlockQuantizer, WithoutAResidual) {
  const QuantizerJob plain = job(ResidualPattern::kNone);
  std::mt19937 random(13);
  for (int round = 0; round < 2000; ++round) {
    const UnquantizedBlock block = random_unquantized(plain.block(), random);
    const Expected expected = golden(values_of(block, plain.block()), plain);
    const QuantizedBlock result = quantize_block(block, plain);
    ASSERT_EQ(result.tag, block.tag);
    ASSERT_EQ(result.dense.scale, scale_of(expected));
    ASSERT_EQ(result.dense.codes, nibbles<32>(expected.codes));
    ASSERT_EQ(result.residual.scale, PackedBlock{}.scale);
    ASSERT_EQ(result.residual.codes, PackedBlock{}.codes);
    ASSERT_EQ(result.indices, QuantizedBlock{}.indices);
  }
}

TEST_P(BlockQuantizer, WithADenseResidual) {
  const QuantizerJob dense = job(ResidualPattern::kDense);
  std::mt19937 random(14);
  for (int round = 0; round < 4000; ++round) {
    const UnquantizedBlock block = random_unquantized(dense.block(), random);
    const std::vector<float> values = values_of(block, dense.block());
    const Expected main = golden(values, dense);
    const Expected rest = golden(differences(values, main), dense);
    const QuantizedBlock result = quantize_block(block, dense);
    ASSERT_EQ(result.dense.codes, nibbles<32>(main.codes));
    ASSERT_EQ(result.residual.scale, scale_of(rest));
    ASSERT_EQ(result.residual.codes, nibbles<32>(rest.codes));
    ASSERT_EQ(result.indices, QuantizedBlock{}.indices);
  }
}

TEST_P(BlockQuantizer, WithTwoOfFourOfTheResidual) {
  const QuantizerJob sparse = job(ResidualPattern::kTwoOfFour);
  std::mt19937 random(15);
  for (int round = 0; round < 4000; ++round) {
    const UnquantizedBlock block = random_unquantized(sparse.block(), random);
    const std::vector<float> values = values_of(block, sparse.block());
    const Expected rest = golden(differences(values, golden(values, sparse)), sparse);
    std::vector<uint8_t> kept;
    std::vector<uint8_t> indices;
    for (size_t quad = 0; quad < rest.codes.size() / 4; ++quad) {
      std::vector<uint8_t> order{0, 1, 2, 3};
      std::stable_sort(order.begin(), order.end(), [&](uint8_t a, uint8_t b) {
        return (rest.codes[4 * quad + a] & 7) > (rest.codes[4 * quad + b] & 7);
      });
      std::sort(order.begin(), order.begin() + 2);
      kept.push_back(rest.codes[4 * quad + order[0]]);
      kept.push_back(rest.codes[4 * quad + order[1]]);
      indices.push_back(static_cast<uint8_t>(order[0] + 4 * order[1]));
    }
    const QuantizedBlock result = quantize_block(block, sparse);
    ASSERT_EQ(result.residual.scale, scale_of(rest));
    ASSERT_EQ(result.residual.codes, nibbles<32>(kept));
    ASSERT_EQ(result.indices, nibbles<8>(indices));
  }
}

TEST_P(BlockQuantizer, MasksOverWholeColumnsAreRefused) {
  EXPECT_THROW(quantize_block({}, job(ResidualPattern::kChannel50)), InternalError);
  EXPECT_THROW(quantize_block({}, job(ResidualPattern::kBlock32x64At50)), InternalError);
}

INSTANTIATE_TEST_SUITE_P(Presets, BlockQuantizer,
                         testing::Values("rceil", "floor", "torchao_ceil", "oas", "amct",
                                         "model_a6_rne"),
                         [](const testing::TestParamInfo<const char*>& test) {
                           return std::string(test.param);
                         });

}  // namespace
}  // namespace nibblecore::hw
