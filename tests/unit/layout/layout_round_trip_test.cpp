// SPDX-License-Identifier: Apache-2.0
// Every layout of every format there and back, over odd sizes.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "model/layout/laid_out_matrix.hpp"

namespace nibblecore {
namespace {

/// Random codes and random scale bytes but 0, so that zeros in tiles are padding.
PackedMatrix random_bytes(const BlockFormat& format, int64_t rows, int64_t k,
                          std::mt19937& random) {
  PackedMatrix matrix = make_packed_matrix(format, rows, k);
  for (uint8_t& byte : matrix.codes) {
    byte = static_cast<uint8_t>(random());
  }
  for (uint8_t& byte : matrix.scales) {
    byte = static_cast<uint8_t>(1 + random() % 255);
  }
  matrix.tensor_scale = 0.375F;
  return matrix;
}

/// Whether rows of `k` elements go into the layout; records want whole ones.
bool takes(const Layout& layout, const BlockFormat& format, int64_t k) {
  const bool nvfp4_records = format.name == kNvfp4.name && layout.name == "gguf";
  return k % (nvfp4_records ? 64 : 1) == 0;
}

class LayoutRoundTrip : public testing::TestWithParam<BlockFormat> {};

TEST_P(LayoutRoundTrip, OverOddSizes) {
  const BlockFormat& format = GetParam();
  std::mt19937 random(15);
  int trips = 0;
  for (const Layout& record : layouts()) {
    if (!record.formats.contains(format)) {
      continue;
    }
    for (const int64_t rows : {0, 1, 31, 33, 127, 129}) {
      for (const int64_t blocks : {0, 1, 3, 4, 5, 90}) {
        const int64_t k = blocks * format.block;
        if (!takes(record, format, k)) {
          continue;
        }
        SCOPED_TRACE(testing::Message() << record.name << " " << rows << " x " << blocks);
        const PackedMatrix packed = random_bytes(format, rows, k, random);
        const LaidOutMatrix laid_out = lay_out(packed, record, "x");
        const PackedMatrix back = packed_matrix(laid_out, "x");
        ASSERT_EQ(back.codes, packed.codes);
        ASSERT_EQ(back.scales, packed.scales);
        EXPECT_EQ(back.tensor_scale, packed.tensor_scale);
        EXPECT_EQ(back.rows, rows);
        EXPECT_EQ(back.k, k);
        EXPECT_EQ(back.format.name, format.name);
        ++trips;

        const LayoutTensor& scales = laid_out.tensors.back();
        if (scales.name == "scales") {
          const auto zeros = std::count(scales.bytes.begin(), scales.bytes.end(), 0);
          EXPECT_EQ(scales.bytes.size() - static_cast<size_t>(zeros), packed.scales.size());
        }
      }
    }
  }
  EXPECT_EQ(trips, format.name == kMxfp4.name ? 7 * 36 : format.name == kHif4.name ? 10 * 36 : 192);
}

TEST_P(LayoutRoundTrip, TailsStayWholeBlocks) {
  const BlockFormat& format = GetParam();
  std::mt19937 random(16);
  for (const Layout& record : layouts()) {
    if (!record.formats.contains(format) || record.name == "gguf") {
      continue;
    }
    SCOPED_TRACE(record.name);
    const PackedMatrix packed = random_bytes(format, 3, 95, random);
    const PackedMatrix back = packed_matrix(lay_out(packed, record, "x"), "x");
    EXPECT_EQ(back.codes, packed.codes);
    EXPECT_EQ(back.scales, packed.scales);
    EXPECT_EQ(back.k, 95);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, LayoutRoundTrip, testing::ValuesIn(kBlockFormats),
                         [](const testing::TestParamInfo<BlockFormat>& test) {
                           return std::string(test.param.name);
                         });

}  // namespace
}  // namespace nibblecore
