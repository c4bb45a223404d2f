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

std::string vectors_path(const std::string& name) {
  return std::string(NIBBLECORE_TEST_DATA) + "/vectors/" + name + ".safetensors";
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

/// `nibblecore quantize` of tensor x of a file of vectors, dequantized too.
class QuantizedInputs {
 public:
  QuantizedInputs(const std::string& name, const std::string& format, const Arguments& more) {
    Arguments arguments{"quantize",     vectors_path(name), "-o",  path(),
                        "--dequantize", "--format",         format};
    arguments.insert(arguments.end(), more.begin(), more.end());
    run_ = run_program(arguments);
  }

  const ProgramRun& run() const { return run_; }
  std::string path() const { return (folder_.path() / "out.safetensors").string(); }

 private:
  TemporaryFolder folder_;
  ProgramRun run_;
};

/// What it wrote of x.
struct WrittenTensors {
  WrittenTensors(const QuantizedInputs& quantized, size_t rows, size_t row_scales, size_t k) {
    EXPECT_EQ(quantized.run().exit_code, 0) << quantized.run().err;
    const SafetensorsFile file(quantized.path());
    EXPECT_THAT(file.tensor("x.scales").shape, ElementsAre(rows, row_scales));
    EXPECT_THAT(file.tensor("x.codes").shape, ElementsAre(rows, k / 2));
    EXPECT_THAT(file.tensor("x.dequantized").shape, ElementsAre(rows, k));
    scales = elements_of<uint8_t>(file, "x.scales");
    codes = elements_of<uint8_t>(file, "x.codes");
    values = elements_of<uint32_t>(file, "x.dequantized");
  }

  std::vector<uint8_t> scales;
  std::vector<uint8_t> codes;
  std::vector<uint32_t> values;
};

/// Whether `count` codes from `begin` on are the golden ones, of which 0xFF is no E2M1 value and
/// written as 0.
bool same_codes(const std::vector<uint8_t>& packed, const std::vector<uint8_t>& golden,
                size_t begin, size_t count) {
  for (size_t i = begin; i < begin + count; ++i) {
    if (packed_at(packed, i) != (golden[i] == 0xFF ? 0 : golden[i])) {
      return false;
    }
  }
  return true;
}

enum class CodesUnderNan { kCompared, kOpen };

struct Mxfp4Case {
  const char* name;
  Arguments options;
  const char* vectors;
  CodesUnderNan codes_under_nan;  ///< kCompared: the preset has the peer's faults, too
  size_t faults;
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
  const QuantizedInputs quantized("mxfp4/inputs", "mxfp4", param.options);
  const WrittenTensors written(quantized, kMxfp4Rows, 1, kMxfp4Block);
  const std::string vectors = std::string("mxfp4/") + param.vectors;
  const auto golden_scales = vector_tensor<uint8_t>(vectors, "scale");
  const auto golden_codes = vector_tensor<uint8_t>(vectors, "codes");
  const auto golden_values = vector_tensor<uint32_t>(vectors, "dequantized");

  const auto faults = param.codes_under_nan == CodesUnderNan::kOpen
                          ? faults_of_peer(param.vectors)
                          : std::vector<std::pair<size_t, uint8_t>>();
  for (const auto& [row, right_scale] : faults) {
    EXPECT_EQ(written.scales[row], right_scale) << "row " << row;
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
    if (written.scales[row] != golden_scales[row]) {
      wrong_scales.push_back(row);
    }
    const size_t begin = row * kMxfp4Block;
    if (!same_values(written.values, golden_values, begin, kMxfp4Block)) {
      wrong_values.push_back(row);
    }
    const bool is_open =
        golden_scales[row] == kNanScale && param.codes_under_nan == CodesUnderNan::kOpen;
    if (!is_open && !same_codes(written.codes, golden_codes, begin, kMxfp4Block)) {
      wrong_codes.push_back(row);
    }
  }
  EXPECT_THAT(wrong_scales, IsEmpty());
  EXPECT_THAT(wrong_codes, IsEmpty());
  EXPECT_THAT(wrong_values, IsEmpty());
  EXPECT_EQ(kMxfp4Rows - compared, param.faults);
}

INSTANTIATE_TEST_SUITE_P(
    Presets, QuantizeMxfp4Vectors,
    testing::Values(
        Mxfp4Case{"TorchaoFloor",
                  {"--preset", "torchao_floor"},
                  "torchao_floor",
                  CodesUnderNan::kCompared,
                  0},
        Mxfp4Case{"TorchaoCeil",
                  {"--preset", "torchao_ceil"},
                  "torchao_ceil",
                  CodesUnderNan::kCompared,
                  0},
        Mxfp4Case{"TorchaoEven",
                  {"--preset", "torchao_even"},
                  "torchao_even",
                  CodesUnderNan::kCompared,
                  0},
        Mxfp4Case{
            "GgmlMxfp4", {"--preset", "ggml_mxfp4"}, "ggml_mxfp4", CodesUnderNan::kCompared, 0},
        Mxfp4Case{"FpquantMxfp4",
                  {"--preset", "fpquant_mxfp4"},
                  "fpquant_mxfp4",
                  CodesUnderNan::kCompared,
                  0},
        Mxfp4Case{"TritonKernelsRoundUp",
                  {"--preset", "triton_kernels_round_up"},
                  "triton_kernels_round_up",
                  CodesUnderNan::kCompared,
                  0},
        Mxfp4Case{"Default", {}, "torchao_rceil", CodesUnderNan::kOpen, 1},
        Mxfp4Case{"RuleRceil", {"--scale-rule", "rceil"}, "torchao_rceil", CodesUnderNan::kOpen, 1},
        Mxfp4Case{"RuleFloor", {"--scale-rule", "floor"}, "torchao_floor", CodesUnderNan::kOpen, 0},
        Mxfp4Case{"RuleCeil",
                  {"--scale-rule", "ceil", "--rounding", "rne"},
                  "torchao_ceil",
                  CodesUnderNan::kOpen,
                  0},
        Mxfp4Case{"RuleEven", {"--scale-rule", "even"}, "torchao_even", CodesUnderNan::kOpen, 56}),
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
  const QuantizedInputs quantized("hif4/inputs", "hif4", param.options);
  const WrittenTensors written(quantized, kHif4Rows, 4, kHif4Block);
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
    const auto scale_bytes = written.scales.begin() + static_cast<int64_t>(row * 4);
    const auto code_bytes = written.codes.begin() + static_cast<int64_t>(row * 32);
    if (!std::equal(unit, unit + 4, scale_bytes) || !std::equal(unit + 4, unit + 36, code_bytes)) {
      wrong_units.push_back(row);
    }
    if (!same_values(written.values, golden_values, row * kHif4Block, kHif4Block)) {
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
                    Hif4Case{"A6", {"--preset", "a6"}, "model_a6_rne", 14},
                    Hif4Case{"GccCuda", {"--preset", "gcc_cuda"}, "gcc_cuda", 4}),
    [](const testing::TestParamInfo<Hif4Case>& test) { return test.param.name; });

TEST(QuantizeVectors, GgmlNvfp4) {
  constexpr size_t kRows = 1362;
  constexpr size_t kColumns = 64;
  const QuantizedInputs quantized("nvfp4/ggml_nvfp4", "nvfp4", {"--preset", "ggml_nvfp4"});
  const WrittenTensors written(quantized, kRows, 4, kColumns);
  EXPECT_EQ(written.scales, vector_tensor<uint8_t>("nvfp4/ggml_nvfp4", "scale"));
  const auto golden_codes = vector_tensor<uint8_t>("nvfp4/ggml_nvfp4", "codes");
  const auto golden_values = vector_tensor<uint32_t>("nvfp4/ggml_nvfp4", "dequantized");
  EXPECT_TRUE(same_codes(written.codes, golden_codes, 0, kRows * kColumns));
  EXPECT_TRUE(same_values(written.values, golden_values, 0, kRows * kColumns));
}

TEST(QuantizeVectors, SaysWhatItLeftOut) {
  const QuantizedInputs quantized("mxfp4/inputs", "mxfp4", {});
  ASSERT_EQ(quantized.run().exit_code, 0);
  EXPECT_THAT(quantized.run().err, HasSubstr("tensor 'category'"));
  EXPECT_EQ(SafetensorsFile(quantized.path()).tensors().size(), 3U);
}

}  // namespace
}  // namespace nibblecore
