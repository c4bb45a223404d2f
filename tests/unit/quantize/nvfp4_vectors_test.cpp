// SPDX-License-Identifier: Apache-2.0
// NVFP4 presets of which there is a golden file, bit for bit.
#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/fp32.hpp"
#include "model/quantize/quantize.hpp"
#include "tests/unit/quantize/vectors.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kRows = 1362;
constexpr int64_t kColumns = 64;  // four blocks

bool same_value(float ours, uint32_t theirs) {
  return fp32_is_nan(theirs) ? std::isnan(ours) : float_bits(ours) == theirs;
}

TEST(Nvfp4Vectors, GgmlNvfp4) {
  const auto x = vector_tensor<float>("nvfp4/ggml_nvfp4", "x");
  const auto scales = vector_tensor<uint8_t>("nvfp4/ggml_nvfp4", "scale");
  const auto codes = vector_tensor<uint8_t>("nvfp4/ggml_nvfp4", "codes");
  const auto dequantized = vector_tensor<uint32_t>("nvfp4/ggml_nvfp4", "dequantized");
  ASSERT_EQ(x.size(), size_t{kRows * kColumns});
  ASSERT_EQ(scales.size(), size_t{kRows * 4});
  ASSERT_EQ(codes.size(), x.size());
  ASSERT_EQ(dequantized.size(), x.size());
  std::vector<float> decoded(x.size());
  const PackedMatrix packed = quantize(row_major_view(x.data(), kRows, kColumns),
                                       preset(kNvfp4, "ggml_nvfp4"), 1, decoded.data());
  EXPECT_EQ(packed.tensor_scale, 1.0F);
  std::vector<int64_t> mismatching;
  for (int64_t row = 0; row < kRows; ++row) {
    bool same =
        std::equal(packed.row_scales(row), packed.row_scales(row) + 4, scales.data() + row * 4) &&
        std::equal(decoded.data() + row * kColumns, decoded.data() + (row + 1) * kColumns,
                   dequantized.data() + row * kColumns, same_value);
    for (int64_t i = 0; i < kColumns; ++i) {
      const auto at = static_cast<size_t>(row * kColumns + i);
      same = same && packed_code(packed.row_codes(row), i) == codes[at];
    }
    if (!same) {
      mismatching.push_back(row);
    }
  }
  std::cout << "ggml_nvfp4: compared " << kRows << ", " << mismatching.size()
            << " mismatching (0 skipped by the file)\n";
  EXPECT_EQ(mismatching, std::vector<int64_t>{});
}

// A preset without a golden file is tested against its formula in nvfp4_test.cpp.
TEST(Nvfp4VectorFiles, AndFormulasAreThoseOfThePresets) {
  std::set<std::string> names;
  for (const Preset& preset : presets()) {
    if (preset.format.name == kNvfp4.name) {
      names.insert(preset.name);
    }
  }
  EXPECT_EQ(names, (std::set<std::string>{"te_nvfp4", "ggml_nvfp4", "hifloat4_nvfp4",
                                          "hifloat4_nvfp4_pts", "four_over_six"}));
}

}  // namespace
}  // namespace nibblecore
