// SPDX-License-Identifier: Apache-2.0
// Every HiF4 preset against the golden file of its name, bit for bit.
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
#include "model/quantize/hif4.hpp"
#include "tests/unit/quantize/vectors.hpp"

namespace nibblecore {
namespace {

constexpr size_t kUnit = 64;
constexpr size_t kRows = 2722;

/// A preset's golden file.
struct GoldenFile {
  const char* name;
  size_t skipped;  ///< rows that the file marks as undefined in that implementation, or NaN
  /// Skipped rows that the preset makes otherwise: choices of this project, see the README there.
  size_t unlike;
};
constexpr std::array<GoldenFile, 9> kFiles{{{"amct", 13, 0},
                                            {"model_a6_rne", 14, 0},
                                            {"gcc_cuda", 4, 0},
                                            {"gcc_np_gpu", 13, 0},
                                            {"gcc_torch_gpu", 4, 0},
                                            {"gcc_torch_npu", 129, 0},
                                            {"model_pto_golden", 114, 20},
                                            {"model_cann_ops_golden", 129, 13},
                                            {"model_supernpu_golden", 129, 7}}};

/// What a preset makes of the inputs.
struct Quantized {
  std::array<uint8_t, kHif4UnitBytes> unit{};
  std::array<float, kUnit> decoded{};
};

Quantized quantized(const float* values, const Hif4Rule& rule) {
  Hif4Unit unit;
  std::array<uint8_t, kHif4ScaleBytes> scale{};
  Quantized result;
  quantize_hif4_block({values, 0}, rule, {scale.data(), unit.codes.data(), result.decoded.data()});
  unpack_hif4_scale(scale.data(), unit);
  result.unit = pack(unit);
  return result;
}

bool same_value(float ours, uint32_t theirs) {
  return fp32_is_nan(theirs) ? std::isnan(ours) : float_bits(ours) == theirs;
}

class Hif4Vectors : public testing::TestWithParam<GoldenFile> {};

TEST_P(Hif4Vectors, UnitAndDecodedValuesOfEveryRow) {
  const GoldenFile& file = GetParam();
  const std::string path = std::string("hif4/") + file.name;
  const auto x = vector_tensor<float>("hif4/inputs", "x");
  const auto units = vector_tensor<uint8_t>(path, "unit");
  const auto dequantized = vector_tensor<uint32_t>(path, "dequantized");
  const auto skip = vector_tensor<uint8_t>(path, "skip");
  ASSERT_EQ(x.size(), kRows * kUnit);
  ASSERT_EQ(units.size(), kRows * kHif4UnitBytes);
  ASSERT_EQ(dequantized.size(), kRows * kUnit);
  ASSERT_EQ(skip.size(), kRows);
  const auto rule = std::get<Hif4Rule>(preset(kHif4, file.name).rule);
  std::array<size_t, 2> rows{};
  std::array<std::vector<size_t>, 2> mismatching;
  for (size_t row = 0; row < kRows; ++row) {
    const Quantized ours = quantized(x.data() + row * kUnit, rule);
    const bool same =
        std::equal(ours.unit.begin(), ours.unit.end(), units.data() + row * kHif4UnitBytes) &&
        std::equal(ours.decoded.begin(), ours.decoded.end(), dequantized.data() + row * kUnit,
                   same_value);
    ++rows.at(skip[row]);
    if (!same) {
      mismatching.at(skip[row]).push_back(row);
    }
  }
  std::cout << file.name << ": compared " << rows[0] << ", " << mismatching[0].size()
            << " mismatching (" << rows[1] << " skipped by the file, of which "
            << rows[1] - mismatching[1].size() << " are the same)\n";
  EXPECT_EQ(rows[0], kRows - file.skipped);
  EXPECT_EQ(mismatching[0], std::vector<size_t>{});
  EXPECT_EQ(mismatching[1].size(), file.unlike) << testing::PrintToString(mismatching[1]);
}

INSTANTIATE_TEST_SUITE_P(Files, Hif4Vectors, testing::ValuesIn(kFiles),
                         [](const testing::TestParamInfo<GoldenFile>& test) {
                           return std::string(test.param.name);
                         });

TEST(Hif4VectorFiles, AreThoseOfThePresets) {
  std::set<std::string> names;
  for (const Preset& preset : presets()) {
    if (preset.format.name == kHif4.name) {
      names.insert(preset.name);
    }
  }
  std::set<std::string> files;
  for (const GoldenFile& file : kFiles) {
    files.insert(file.name);
  }
  EXPECT_EQ(files, names);
}

}  // namespace
}  // namespace nibblecore
