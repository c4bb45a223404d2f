// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/trace/safetensors_reader.hpp"
#include "tests/system/support/program.hpp"
#include "tests/system/support/tensor_file.hpp"
#include "tests/unit/quantize/vectors.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr size_t kMxfp4Rows = 2713;
constexpr size_t kMxfp4Block = 32;
constexpr size_t kHif4Rows = 2722;
constexpr size_t kHif4Block = 64;
constexpr uint8_t kNanScale = 255;

std::string inputs_path(const std::string& format) {
  return std::string(NIBBLECORE_TEST_DATA) + "/vectors/" + format + "/inputs.safetensors";
}

bool is_nan(uint32_t fp32_bits) { return (fp32_bits & 0x7FFFFFFF) > 0x7F800000; }

bool same_value(uint32_t left, uint32_t right) {
  return left == right || (is_nan(left) && is_nan(right));
}

/// True where elements [begin, begin + count) agree, NaN payloads apart.
bool same_values(const std::vector<uint32_t>& left, const std::vector<uint32_t>& right,
                 size_t begin, size_t count) {
  for (size_t i = begin; i < begin + count; ++i) {
    if (!same_value(left[i], right[i])) {
      return false;
    }
  }
  return true;
}

uint8_t packed_at(const std::vector<uint8_t>& packed, size_t element) {
  return (packed[element / 2] >> (4 * (element % 2))) & 0xF;
}

/// `nibblecore quantize` of the golden inputs of a format, dequantized too.
class QuantizedInputs {
 public:
  QuantizedInputs(const std::string& format, const Arguments& more) {
    Arguments arguments{"quantize", inputs_path(format), "-o", path(), "--dequantize"};
    arguments.insert(arguments.end(), {"--format", format});
    arguments.insert(arguments.end(), more.begin(), more.end());
    run_ = run_program(arguments);
  }

  const ProgramRun& run() const { return run_; }
  std::string path() const { return (folder_.path() / "out.safetensors").string(); }

 private:
  TemporaryFolder folder_;
  ProgramRun run_;
};

enum class CodesUnderNan { kCompared, kOpen };

struct Mxfp4Case {
  const char* name;
  Arguments options;
  const char* vectors;
  CodesUnderNan codes_under_nan;
};

/// Rows in which the peer is known to be wrong, with the scale that is right there; the vectors'
/// README tells why.
std::vector<std::pair<size_t, uint8_t>> faults_of_peer(const std::string& vectors) {
  const std::vector<uint32_t> bits = vector_tensor<uint32_t>("mxfp4/inputs", "x");
  std::vector<std::pair<size_t, uint8_t>> faults;
  for (size_t row = 0; row < kMxfp4Rows; ++row) {
    uint32_t largest = 0;
    for (size_t i = row * kMxfp4Block; i < (row + 1) * kMxfp4Block; ++i) {
      largest = std::max(largest, bits[i] & 0x7FFFFFFF);
    }
    const bool finite = largest < 0x7F800000;
    if (vectors == "torchao_rceil" && largest == 0x01400001) {
      faults.emplace_back(row, 1);
    } else if (vectors == "torchao_even" && finite && largest >= 0x7F600000) {
      faults.emplace_back(row, 253);
    }
  }
  return faults;
}

class QuantizeMxfp4Vectors : public testing::TestWithParam<Mxfp4Case> {};

TEST_P(QuantizeMxfp4Vectors, EveryScaleCodeAndValue) {
  const Mxfp4Case& param = GetParam();
  const QuantizedInputs quantized("mxfp4", param.options);
  ASSERT_EQ(quantized.run().exit_code, 0) << quantized.run().err;
  const SafetensorsFile file(quantized.path());
  ASSERT_THAT(file.tensor("x.scales").shape, ElementsAre(kMxfp4Rows, 1));
  ASSERT_THAT(file.tensor("x.codes").shape, ElementsAre(kMxfp4Rows, kMxfp4Block / 2));
  ASSERT_THAT(file.tensor("x.dequantized").shape, ElementsAre(kMxfp4Rows, kMxfp4Block));
  const auto scales = elements_of<uint8_t>(file, "x.scales");
  const auto codes = elements_of<uint8_t>(file, "x.codes");
  const auto values = elements_of<uint32_t>(file, "x.dequantized");
  const std::string vectors = std::string("mxfp4/") + param.vectors;
  const auto golden_scales = vector_tensor<uint8_t>(vectors, "scale");
  const auto golden_codes = vector_tensor<uint8_t>(vectors, "codes");
  const auto golden_values = vector_tensor<uint32_t>(vectors, "dequantized");

  const auto faults = faults_of_peer(param.vectors);
  for (const auto& [row, right_scale] : faults) {
    EXPECT_EQ(scales[row], right_scale) << "row " << row;
    EXPECT_NE(golden_scales[row], right_scale) << "row " << row;
  }
  std::vector<size_t> wrong_scales;
  std::vector<size_t> wrong_codes;
  std::vector<size_t> wrong_values;
  size_t compared = 0;
  for (size_t row = 0; row < kMxfp4Rows; ++row) {
    if (std::any_of(faults.begin(), faults.end(),
                    [&](const auto& fault) { return fault.first == row; })) {
      continue;
    }
    ++compared;
    if (scales[row] != golden_scales[row]) {
      wrong_scales.push_back(row);
    }
    const size_t begin = row * kMxfp4Block;
    if (!same_values(values, golden_values, begin, kMxfp4Block)) {
      wrong_values.push_back(row);
    }
    if (golden_scales[row] == kNanScale && param.codes_under_nan == CodesUnderNan::kOpen) {
      continue;
    }
    for (size_t i = begin; i < begin + kMxfp4Block; ++i) {
      if (packed_at(codes, i) != golden_codes[i]) {
        wrong_codes.push_back(row);
        break;
      }
    }
  }
  EXPECT_THAT(wrong_scales, IsEmpty());
  EXPECT_THAT(wrong_codes, IsEmpty());
  EXPECT_THAT(wrong_values, IsEmpty());
  const std::string name = param.vectors;
  EXPECT_EQ(kMxfp4Rows - compared, name == "torchao_even" ? 56 : name == "torchao_rceil" ? 1 : 0);
}

INSTANTIATE_TEST_SUITE_P(
    Presets, QuantizeMxfp4Vectors,
    testing::Values(
        Mxfp4Case{"PresetTorchaoFloor",
                  {"--preset", "torchao_floor"},
                  "torchao_floor",
                  CodesUnderNan::kCompared},
        Mxfp4Case{"PresetTorchaoCeil",
                  {"--preset", "torchao_ceil"},
                  "torchao_ceil",
                  CodesUnderNan::kCompared},
        Mxfp4Case{"Default", {}, "torchao_rceil", CodesUnderNan::kOpen},
        Mxfp4Case{"RuleRceil", {"--scale-rule", "rceil"}, "torchao_rceil", CodesUnderNan::kOpen},
        Mxfp4Case{"RuleFloor", {"--scale-rule", "floor"}, "torchao_floor", CodesUnderNan::kOpen},
        Mxfp4Case{"RuleCeil",
                  {"--scale-rule", "ceil", "--rounding", "rne"},
                  "torchao_ceil",
                  CodesUnderNan::kOpen},
        Mxfp4Case{"RuleEven", {"--scale-rule", "even"}, "torchao_even", CodesUnderNan::kOpen}),
    [](const testing::TestParamInfo<Mxfp4Case>& test) { return test.param.name; });

struct Hif4Case {
  const char* name;
  Arguments options;
  const char* vectors;
  size_t skipped;
};

class QuantizeHif4Vectors : public testing::TestWithParam<Hif4Case> {};

TEST_P(QuantizeHif4Vectors, EveryUnitAndValue) {
  const Hif4Case& param = GetParam();
  const QuantizedInputs quantized("hif4", param.options);
  ASSERT_EQ(quantized.run().exit_code, 0) << quantized.run().err;
  const SafetensorsFile file(quantized.path());
  ASSERT_THAT(file.tensor("x.scales").shape, ElementsAre(kHif4Rows, 4));
  ASSERT_THAT(file.tensor("x.codes").shape, ElementsAre(kHif4Rows, kHif4Block / 2));
  ASSERT_THAT(file.tensor("x.dequantized").shape, ElementsAre(kHif4Rows, kHif4Block));
  const auto scales = elements_of<uint8_t>(file, "x.scales");
  const auto codes = elements_of<uint8_t>(file, "x.codes");
  const auto values = elements_of<uint32_t>(file, "x.dequantized");
  const std::string vectors = std::string("hif4/") + param.vectors;
  const auto golden_units = vector_tensor<uint8_t>(vectors, "unit");
  const auto golden_values = vector_tensor<uint32_t>(vectors, "dequantized");
  const auto skip = vector_tensor<uint8_t>(vectors, "skip");

  std::vector<size_t> wrong_units;
  std::vector<size_t> wrong_values;
  size_t skipped = 0;
  for (size_t row = 0; row < kHif4Rows; ++row) {
    if (skip[row] != 0) {
      ++skipped;
      continue;
    }
    const auto unit = golden_units.begin() + static_cast<int64_t>(row * 36);
    const auto scale_bytes = scales.begin() + static_cast<int64_t>(row * 4);
    const auto code_bytes = codes.begin() + static_cast<int64_t>(row * 32);
    if (!std::equal(unit, unit + 4, scale_bytes) || !std::equal(unit + 4, unit + 36, code_bytes)) {
      wrong_units.push_back(row);
    }
    if (!same_values(values, golden_values, row * kHif4Block, kHif4Block)) {
      wrong_values.push_back(row);
    }
  }
  EXPECT_THAT(wrong_units, IsEmpty());
  EXPECT_THAT(wrong_values, IsEmpty());
  EXPECT_EQ(skipped, param.skipped);
}

INSTANTIATE_TEST_SUITE_P(
    Presets, QuantizeHif4Vectors,
    testing::Values(Hif4Case{"Default", {}, "amct", 13},
                    Hif4Case{"Amct", {"--preset", "amct"}, "amct", 13},
                    Hif4Case{"ModelA6Rne", {"--preset", "model_a6_rne"}, "model_a6_rne", 14},
                    Hif4Case{"A6", {"--preset", "a6"}, "model_a6_rne", 14}),
    [](const testing::TestParamInfo<Hif4Case>& test) { return test.param.name; });

TEST(QuantizeVectors, SaysWhatItLeftOut) {
  const QuantizedInputs quantized("mxfp4", {});
  ASSERT_EQ(quantized.run().exit_code, 0);
  EXPECT_THAT(quantized.run().err, HasSubstr("tensor 'category'"));
  EXPECT_EQ(SafetensorsFile(quantized.path()).tensors().size(), 3U);
}

}  // namespace
}  // namespace nibblecore
