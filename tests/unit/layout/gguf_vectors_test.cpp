// SPDX-License-Identifier: Apache-2.0
// Records of GGUF against what ggml stores: packing alone, of ggml's own codes and scales.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/layout/laid_out_matrix.hpp"
#include "tests/unit/quantize/vectors.hpp"

namespace nibblecore {
namespace {

using testing::Each;
using testing::Le;
using Bytes = std::vector<uint8_t>;

/// Codes a byte each and scales of a vector file as a matrix [rows, codes / rows].
PackedMatrix packed(const BlockFormat& format, int64_t rows, const Bytes& codes,
                    const Bytes& scales) {
  const int64_t k = static_cast<int64_t>(codes.size()) / rows;
  PackedMatrix matrix = make_packed_matrix(format, rows, k);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < k; ++i) {
      set_packed_code(matrix.row_codes(row), i, codes[static_cast<size_t>(row * k + i)]);
    }
  }
  matrix.scales = scales;
  return matrix;
}

class GgufMxfp4 : public testing::TestWithParam<int64_t> {};

TEST_P(GgufMxfp4, EveryBlockOfTheVectors) {
  const auto codes = vector_tensor<uint8_t>("mxfp4/ggml_mxfp4", "codes");
  const auto scales = vector_tensor<uint8_t>("mxfp4/ggml_mxfp4", "scale");
  const auto blocks = vector_tensor<uint8_t>("mxfp4/ggml_mxfp4", "block_bytes");
  ASSERT_EQ(scales.size(), 2713U);
  ASSERT_EQ(blocks.size(), 2713U * 17);
  ASSERT_THAT(codes, Each(Le(15)));
  const PackedMatrix matrix = packed(kMxfp4, GetParam(), codes, scales);
  const LaidOutMatrix records = lay_out(matrix, layout(kMxfp4, "gguf"), "x");
  ASSERT_EQ(records.tensors.size(), 1U);
  EXPECT_EQ(records.tensors[0].bytes, blocks);

  LaidOutMatrix peers = records;
  peers.tensors[0].bytes = blocks;
  const PackedMatrix back = packed_matrix(peers, "x");
  EXPECT_EQ(back.codes, matrix.codes);
  EXPECT_EQ(back.scales, matrix.scales);
}

INSTANTIATE_TEST_SUITE_P(OneBlockARowAndOneRow, GgufMxfp4, testing::Values(2713, 1));

TEST(GgufNvfp4, EverySuperblockOfTheVectors) {
  const auto codes = vector_tensor<uint8_t>("nvfp4/ggml_nvfp4", "codes");
  const auto scales = vector_tensor<uint8_t>("nvfp4/ggml_nvfp4", "scale");
  ASSERT_EQ(scales.size(), 1362U * 4);
  ASSERT_THAT(codes, Each(Le(15)));
  // 4 scales, then 8 bytes a sub-block of 16: byte j = code[j] | code[j + 8] << 4.
  Bytes expected;
  for (size_t row = 0; row < 1362; ++row) {
    for (size_t part = 0; part < 4; ++part) {
      expected.push_back(scales[row * 4 + part]);
    }
    for (size_t first = row * 64; first < (row + 1) * 64; first += 16) {
      for (size_t j = first; j < first + 8; ++j) {
        expected.push_back(static_cast<uint8_t>(codes[j] + 16 * codes[j + 8]));
      }
    }
  }
  for (const int64_t rows : {1362, 681, 1}) {
    const PackedMatrix matrix = packed(kNvfp4, rows, codes, scales);
    const LaidOutMatrix records = lay_out(matrix, layout(kNvfp4, "gguf"), "x");
    ASSERT_EQ(records.tensors.size(), 1U);
    EXPECT_EQ(records.tensors[0].bytes, expected) << rows;
  }
}

}  // namespace
}  // namespace nibblecore
