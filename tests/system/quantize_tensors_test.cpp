// SPDX-License-Identifier: Apache-2.0
// Names, types and shapes of what `quantize` writes, for every rank, and tails and types of input.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "tests/system/support/program.hpp"
#include "tests/system/support/tensor_file.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

using Shape = std::vector<int64_t>;

std::vector<float> ramp(size_t count) {
  std::vector<float> values;
  for (size_t i = 0; i < count; ++i) {
    values.push_back((i % 3 == 0 ? -0.37F : 0.81F) * static_cast<float>(i % 19));
  }
  return values;
}

class QuantizeTensors : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  SafetensorsFile quantize(const TensorFile& input, const Arguments& options) {
    input.write(path("in"));
    Arguments arguments{"quantize", path("in"), "-o", path("out")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    EXPECT_THAT(folder_.entries(), ElementsAre("in", "out"));
    return SafetensorsFile(path("out"));
  }

 private:
  TemporaryFolder folder_;
};

struct FormatCase {
  const char* format;
  int64_t block;
  int64_t scale_bytes;
};

class QuantizeShapes : public QuantizeTensors, public testing::WithParamInterface<FormatCase> {};

TEST_P(QuantizeShapes, OfEveryRank) {
  const FormatCase& param = GetParam();
  const std::map<std::string, Shape> inputs{
      {"scalar", {}},     {"vector", {96}},     {"matrix", {3, 70}},   {"cube", {2, 3, 65}},
      {"no_values", {0}}, {"no_rows", {0, 64}}, {"no_columns", {3, 0}}};
  TensorFile input;
  for (const auto& [name, shape] : inputs) {
    size_t count = 1;
    for (const int64_t size : shape) {
      count *= static_cast<size_t>(size);
    }
    input.set(name, DType::kF32, shape, ramp(count));
  }
  const SafetensorsFile file = quantize(input, {"--format", param.format, "--dequantize"});

  const bool has_tensor_scale = std::string(param.format) == "nvfp4";
  std::vector<std::string> expected_names;
  for (const auto& [name, shape] : inputs) {
    SCOPED_TRACE(name);
    const int64_t k = shape.empty() ? 1 : shape.back();
    const int64_t blocks = (k + param.block - 1) / param.block;
    Shape rows = shape;
    if (!rows.empty()) {
      rows.pop_back();
    }
    Shape codes = rows;
    codes.push_back(blocks * param.block / 2);
    Shape scales = rows;
    scales.push_back(blocks * param.scale_bytes);
    for (const char* const suffix : {".codes", ".scales", ".dequantized"}) {
      expected_names.push_back(name + suffix);
      ASSERT_NE(file.find(name + suffix), nullptr) << suffix;
    }
    EXPECT_EQ(file.tensor(name + ".codes").shape, codes);
    EXPECT_EQ(file.tensor(name + ".codes").dtype, DType::kU8);
    EXPECT_EQ(file.tensor(name + ".scales").shape, scales);
    EXPECT_EQ(file.tensor(name + ".scales").dtype, DType::kU8);
    EXPECT_EQ(file.tensor(name + ".dequantized").shape, shape);
    EXPECT_EQ(file.tensor(name + ".dequantized").dtype, DType::kF32);
    if (has_tensor_scale) {
      expected_names.push_back(name + ".tensor_scale");
      ASSERT_NE(file.find(expected_names.back()), nullptr);
      EXPECT_EQ(file.tensor(expected_names.back()).shape, Shape{1});
      EXPECT_EQ(file.tensor(expected_names.back()).dtype, DType::kF32);
    }
  }
  std::vector<std::string> names;
  for (const Tensor& tensor : file.tensors()) {
    names.push_back(tensor.name);
  }
  EXPECT_THAT(names, UnorderedElementsAreArray(expected_names));
}

TEST_P(QuantizeShapes, TailIsPaddedWithZeros) {
  const FormatCase& param = GetParam();
  const size_t k = 70;
  const size_t padded = 128;
  const std::vector<float> values = ramp(2 * k);
  std::vector<float> padded_values(2 * padded);
  for (size_t row = 0; row < 2; ++row) {
    std::copy_n(values.begin() + static_cast<int64_t>(row * k), k,
                padded_values.begin() + static_cast<int64_t>(row * padded));
  }
  TensorFile input;
  input.set("tail", DType::kF32, {2, 70}, values);
  input.set("padded", DType::kF32, {2, 128}, padded_values);
  const SafetensorsFile file = quantize(input, {"--format", param.format, "--dequantize"});
  const auto row_of = [&](const std::string& name, size_t row, size_t wanted) {
    const std::vector<uint8_t> all = elements_of<uint8_t>(file, name);
    const auto begin = all.begin() + static_cast<int64_t>(row * all.size() / 2);
    return std::vector<uint8_t>(begin, begin + static_cast<int64_t>(wanted));
  };
  for (const char* const suffix : {".codes", ".scales", ".dequantized"}) {
    const size_t row_bytes =
        static_cast<size_t>(file.tensor(std::string("tail") + suffix).bytes) / 2;
    for (size_t row = 0; row < 2; ++row) {
      EXPECT_EQ(row_of(std::string("tail") + suffix, row, row_bytes),
                row_of(std::string("padded") + suffix, row, row_bytes))
          << suffix << " of row " << row;
    }
  }
  const auto codes =
      row_of("tail.codes", 0, static_cast<size_t>(file.tensor("tail.codes").bytes) / 2);
  EXPECT_THAT(std::vector<uint8_t>(codes.begin() + 35, codes.end()), Each(0));
}

TEST_P(QuantizeShapes, Bf16CountsAsItsValues) {
  std::vector<uint16_t> bf16;
  std::vector<float> floats;
  for (const float value : ramp(128)) {
    bf16.push_back(static_cast<uint16_t>(float_bits(value) >> 16));
    floats.push_back(bits_float(static_cast<uint32_t>(bf16.back()) << 16));
  }
  TensorFile input;
  input.set("bf16", DType::kBf16, {2, 64}, bf16);
  input.set("f32", DType::kF32, {2, 64}, floats);
  const SafetensorsFile file = quantize(input, {"--format", GetParam().format, "--dequantize"});
  for (const char* const suffix : {".codes", ".scales", ".dequantized"}) {
    EXPECT_EQ(elements_of<uint8_t>(file, std::string("bf16") + suffix),
              elements_of<uint8_t>(file, std::string("f32") + suffix));
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, QuantizeShapes,
                         testing::Values(FormatCase{"mxfp4", 32, 1}, FormatCase{"hif4", 64, 4},
                                         FormatCase{"nvfp4", 16, 1}),
                         [](const testing::TestParamInfo<FormatCase>& test) {
                           return std::string(test.param.format);
                         });

TEST_F(QuantizeTensors, Mxfp4BlockByHand) {
  // Largest magnitude 6: scale 1 (code 127). The even element is in the low nibble.
  std::vector<float> values(32);
  values[0] = 6;
  values[1] = -0.5F;
  values[2] = -0.0F;
  values[31] = 2.4F;
  TensorFile input;
  input.set("w", DType::kF32, {32}, values);
  const SafetensorsFile file = quantize(input, {"--dequantize"});
  std::vector<uint8_t> codes(16);
  codes[0] = 0x97;
  codes[1] = 0x08;
  codes[15] = 0x40;
  EXPECT_EQ(elements_of<uint8_t>(file, "w.codes"), codes);
  EXPECT_THAT(elements_of<uint8_t>(file, "w.scales"), ElementsAre(127));
  const auto bits = elements_of<uint32_t>(file, "w.dequantized");
  EXPECT_EQ(bits[0], 0x40C00000U);
  EXPECT_EQ(bits[1], 0xBF000000U);
  EXPECT_EQ(bits[2], 0x80000000U);
  EXPECT_EQ(bits[31], 0x40000000U);
}

TEST_F(QuantizeTensors, Nvfp4ByHand) {
  // g_enc = 2688 / 6 = 448, g_dec = fl(1 / 448). The first block's scale is 448 / g_enc, the
  // second's 448 / 6 = 74.67, which rounds to 72.
  std::vector<float> values(32);
  values[0] = 6;
  values[1] = 3;
  values[2] = -1.5F;
  values[3] = 0.5F;
  values[17] = -1;
  TensorFile input;
  input.set("x", DType::kF32, {2, 16}, values);
  const SafetensorsFile file = quantize(input, {"--format", "nvfp4", "--dequantize"});
  EXPECT_THAT(elements_of<float>(file, "x.tensor_scale"), ElementsAre(1.0F / 448.0F));
  EXPECT_THAT(elements_of<uint8_t>(file, "x.scales"), ElementsAre(0x7E, 0x69));
  std::vector<uint8_t> codes(16);
  codes[0] = 0x57;
  codes[1] = 0x1B;
  codes[8] = 0xF0;
  EXPECT_EQ(elements_of<uint8_t>(file, "x.codes"), codes);
  const auto dequantized = elements_of<float>(file, "x.dequantized");
  const float g_dec = 1.0F / 448.0F;
  EXPECT_EQ(float_bits(dequantized[0]), float_bits(2688.0F * g_dec));
  EXPECT_EQ(float_bits(dequantized[17]), float_bits(-432.0F * g_dec));
}

TEST_F(QuantizeTensors, SameBytesWithAnyNumberOfThreads) {
  TensorFile input;
  input.set("x", DType::kF32, {500, 96}, ramp(48000));
  for (const char* const format : {"mxfp4", "hif4", "nvfp4"}) {
    SCOPED_TRACE(format);
    quantize(input, {"--format", format, "--threads", "1"});
    const std::string one = read_bytes(path("out"));
    quantize(input, {"--format", format, "--threads", "2"});
    EXPECT_EQ(read_bytes(path("out")), one);
    quantize(input, {"--format", format});
    EXPECT_EQ(read_bytes(path("out")), one);
  }
}

TEST_F(QuantizeTensors, FileOfIntegersGivesNone) {
  TensorFile input;
  input.set("ids", DType::kI64, {2}, std::vector<int64_t>{1, 2});
  input.write(path("in"));
  const ProgramRun run = run_program({"quantize", path("in"), "-o", path("out")});
  ASSERT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.err, testing::HasSubstr("tensor 'ids': I64"));
  EXPECT_THAT(SafetensorsFile(path("out")).tensors(), IsEmpty());
}

TEST_F(QuantizeTensors, OutputMayReplaceTheInput) {
  TensorFile input;
  input.set("x", DType::kF32, {64}, ramp(64));
  input.write(path("in"));
  ASSERT_EQ(run_program({"quantize", path("in"), "-o", path("in")}).exit_code, 0);
  EXPECT_NE(SafetensorsFile(path("in")).find("x.codes"), nullptr);
}

}  // namespace
}  // namespace nibblecore
