// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/block_quantizer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/ue4m3.hpp"
#include "model/quantize/hif4.hpp"
#include "model/quantize/mxfp4.hpp"
#include "model/quantize/nvfp4.hpp"
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

Expected golden(const std::vector<float>& values, const Nvfp4Factors& factors) {
  const float decode = bits_float(factors.decode);
  const Nvfp4Unit unit = quantize_nvfp4(values.data(), {bits_float(factors.encode), decode});
  Expected expected{{unit.scale}, {unit.codes.begin(), unit.codes.end()}, {}};
  for (const uint8_t code : unit.codes) {
    expected.values.push_back(decode_e2m1(code, unit.scale, kUe4m3Format) * decode);
  }
  return expected;
}

Expected golden(const std::vector<float>& values, const QuantizerJob& job) {
  return std::visit([&](const auto& rule) { return golden(values, rule); }, job.rule);
}

std::vector<float> differences(const std::vector<float>& values, const Expected& expected) {
  std::vector<float> result;
  for (size_t i = 0; i < values.size(); ++i) {
    const float difference = values[i] - expected.values[i];
    result.push_back(std::isfinite(difference) ? difference
                                               : std::numeric_limits<float>::quiet_NaN());
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

template <size_t Block>
UnquantizedBlock random_unquantized(std::mt19937& random) {
  const auto family = test::kBlockFamilies[random() % test::kBlockFamilies.size()];
  UnquantizedBlock result;
  result.tag = {static_cast<int64_t>(random() % 100), static_cast<int64_t>(random() % 100)};
  // What lies behind the values of a block must not count.
  result.values = test::random_block<64>(test::BlockFamily::kNonFinite, random);
  const auto values = test::random_block<Block>(family, random);
  std::copy(values.begin(), values.end(), result.values.begin());
  return result;
}

UnquantizedBlock random_unquantized(int block, std::mt19937& random) {
  return block == 16   ? random_unquantized<16>(random)
         : block == 32 ? random_unquantized<32>(random)
                       : random_unquantized<64>(random);
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
    if (name == "te_nvfp4") {
      return {Nvfp4Factors{}, pattern};
    }
    return {std::get<Mxfp4Rule>(preset(kMxfp4, name).rule), pattern};
  }

  /// The job with NVFP4 factors for a tensor whose largest magnitude is that of the block or up to
  /// 2^15 greater.
  static QuantizerJob fitted(const QuantizerJob& job, const UnquantizedBlock& block,
                             std::mt19937& random) {
    if (!std::holds_alternative<Nvfp4Factors>(job.rule)) {
      return job;
    }
    float largest = 0;
    for (const float value : values_of(block, job.block())) {
      largest = std::isfinite(value) ? std::max(largest, std::fabs(value)) : largest;
    }
    const Nvfp4TensorScale scale =
        nvfp4_tensor_scale(std::ldexp(largest, static_cast<int>(random() % 16)));
    return {Nvfp4Factors{float_bits(scale.encode), float_bits(scale.decode)}, job.residual};
  }

  /// A block and the job for it.
  struct Trial {
    UnquantizedBlock block;
    QuantizerJob job;
    std::vector<float> values;
  };
  static Trial trial(const QuantizerJob& job, std::mt19937& random) {
    const UnquantizedBlock block = random_unquantized(job.block(), random);
    return {block, fitted(job, block, random), values_of(block, job.block())};
  }
};

TEST_P(BlockQuantizer, WithoutAResidual) {
  std::mt19937 random(13);
  for (int round = 0; round < 2000; ++round) {
    const auto [block, plain, values] = trial(job(ResidualPattern::kNone), random);
    const Expected expected = golden(values, plain);
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
  std::mt19937 random(14);
  for (int round = 0; round < 4000; ++round) {
    const auto [block, dense, values] = trial(job(ResidualPattern::kDense), random);
    const Expected main = golden(values, dense);
    const Expected rest = golden(differences(values, main), dense);
    const QuantizedBlock result = quantize_block(block, dense);
    ASSERT_EQ(result.dense.codes, nibbles<32>(main.codes));
    ASSERT_EQ(result.residual.scale, scale_of(rest));
    ASSERT_EQ(result.residual.codes, nibbles<32>(rest.codes));
    ASSERT_EQ(result.indices, QuantizedBlock{}.indices);
  }
}

TEST_P(BlockQuantizer, WithAMaskOverTheResidual) {
  std::mt19937 random(18);
  for (const ResidualPattern pattern :
       {ResidualPattern::kChannel50, ResidualPattern::kBlock32x64At50}) {
    for (int round = 0; round < 2000; ++round) {
      auto [block, masked, values] = trial(job(pattern), random);
      block.keep = uint64_t{random()} << 32 | random();
      const Expected main = golden(values, masked);
      Expected rest = golden(differences(values, main), masked);
      for (size_t i = 0; i < rest.codes.size(); ++i) {
        rest.codes[i] = (block.keep >> i) % 2 == 1 ? rest.codes[i] : uint8_t{0};
      }
      const QuantizedBlock result = quantize_block(block, masked);
      ASSERT_EQ(result.dense.scale, scale_of(main));
      ASSERT_EQ(result.dense.codes, nibbles<32>(main.codes));
      ASSERT_EQ(result.residual.scale, scale_of(rest));
      ASSERT_EQ(result.residual.codes, nibbles<32>(rest.codes));
      ASSERT_EQ(result.indices, QuantizedBlock{}.indices);
    }
  }
}

TEST_P(BlockQuantizer, WithTwoOfFourOfTheResidual) {
  std::mt19937 random(15);
  for (int round = 0; round < 4000; ++round) {
    const auto [block, sparse, values] = trial(job(ResidualPattern::kTwoOfFour), random);
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

TEST_P(BlockQuantizer, AMaskUnderAPatternThatHasNoneIsRefused) {
  UnquantizedBlock block;
  block.keep = kKeepAll - 1;
  for (const ResidualPatternRecord& record : kResidualPatterns) {
    const bool has_mask = record.pattern == ResidualPattern::kChannel50 ||
                          record.pattern == ResidualPattern::kBlock32x64At50;
    EXPECT_NO_THROW(quantize_block({}, job(record.pattern))) << record.name;
    if (has_mask) {
      EXPECT_NO_THROW(quantize_block(block, job(record.pattern))) << record.name;
    } else {
      EXPECT_THROW(quantize_block(block, job(record.pattern)), InternalError) << record.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Presets, BlockQuantizer,
                         testing::Values("rceil", "floor", "torchao_ceil", "oas", "amct",
                                         "model_a6_rne", "te_nvfp4"),
                         [](const testing::TestParamInfo<const char*>& test) {
                           return std::string(test.param);
                         });

}  // namespace
}  // namespace nibblecore::hw
