// SPDX-License-Identifier: Apache-2.0
// What `quantize --layout` writes: shapes, bytes, and the same codes and scales in every layout.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/layout/laid_out_matrix.hpp"
#include "tests/system/support/expect_refused.hpp"
#include "tests/system/support/program.hpp"
#include "tests/system/support/tensor_file.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Shape = std::vector<int64_t>;

std::vector<float> ramp(int64_t count) {
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back((i % 3 == 0 ? -0.37F : 0.81F) * static_cast<float>(i % 251));
  }
  return values;
}

int64_t product(const Shape& shape) {
  int64_t count = 1;
  for (const int64_t size : shape) {
    count *= size;
  }
  return count;
}

class QuantizeLayouts : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder.path() / name).string(); }

  void write_input(const Shape& shape) {
    TensorFile input;
    input.set("x", DType::kF32, shape, ramp(product(shape)));
    input.write(path("in"));
  }

  SafetensorsFile quantize(const Arguments& options) {
    Arguments arguments{"quantize", path("in"), "-o", path("out")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return SafetensorsFile(path("out"));
  }

  TemporaryFolder folder;
};

/// Codes and scales of tensor x, whatever its layout.
PackedMatrix packed_of(const SafetensorsFile& file, const Layout& layout, const BlockFormat& format,
                       int64_t rows, int64_t k) {
  LaidOutMatrix matrix{&layout, format, rows, k, 1.0F, {}};
  matrix.tensors = layout_tensors(layout, block_grid(layout, format, rows, k, "x"));
  for (LayoutTensor& tensor : matrix.tensors) {
    tensor.bytes = elements_of<uint8_t>(file, "x." + std::string(tensor.name));
  }
  return packed_matrix(matrix, "x");
}

TEST_F(QuantizeLayouts, AllHoldTheSameCodesAndScales) {
  for (const Shape& shape : {Shape{192}, Shape{33, 192}, Shape{2, 3, 64}, Shape{0, 64}}) {
    write_input(shape);
    const int64_t k = shape.back();
    const int64_t rows = product(shape) / k;
    for (const BlockFormat& format : kBlockFormats) {
      const Arguments options{"--format", std::string(format.name)};
      const PackedMatrix plain = packed_of(quantize(options), layouts().front(), format, rows, k);
      for (const Layout& layout : layouts()) {
        if (!layout.formats.contains(format)) {
          continue;
        }
        SCOPED_TRACE(testing::Message() << format.name << " " << layout.name << " " << rows);
        Arguments with_layout = options;
        with_layout.insert(with_layout.end(), {"--layout", std::string(layout.name)});
        const SafetensorsFile file = quantize(with_layout);
        EXPECT_EQ(file.metadata().at("layout"), layout.name);
        const PackedMatrix packed = packed_of(file, layout, format, rows, k);
        EXPECT_EQ(packed.codes, plain.codes);
        EXPECT_EQ(packed.scales, plain.scales);
        EXPECT_EQ(file.find("x.tensor_scale") != nullptr, format.name == kNvfp4.name);
      }
    }
  }
}

TEST_F(QuantizeLayouts, DefaultIsLowFirst) {
  write_input({3, 70});
  for (const char* const format : {"mxfp4", "hif4", "nvfp4"}) {
    quantize({"--format", format, "--dequantize"});
    const std::string plain = read_bytes(path("out"));
    quantize({"--format", format, "--dequantize", "--layout", "low-first"});
    EXPECT_EQ(read_bytes(path("out")), plain);
    EXPECT_THAT(plain, HasSubstr(R"("layout":"low-first")"));
  }
}

TEST_F(QuantizeLayouts, DequantizedDoesNotDependOnTheLayout) {
  write_input({33, 70});
  const auto plain =
      elements_of<uint32_t>(quantize({"--format", "hif4", "--dequantize"}), "x.dequantized");
  const SafetensorsFile cells = quantize({"--format", "hif4", "--dequantize", "--layout", "a6-nz"});
  EXPECT_EQ(elements_of<uint32_t>(cells, "x.dequantized"), plain);
}

struct ShapeCase {
  const char* format;
  const char* layout;
  Shape input;
  std::vector<std::pair<const char*, Shape>> output;
};

TEST_F(QuantizeLayouts, ShapesFollowTheLayout) {
  const ShapeCase cases[] = {
      {"mxfp4", "unpacked", {2, 3, 70}, {{"codes", {2, 3, 96}}, {"scales", {2, 3, 3}}}},
      {"mxfp4", "gguf", {2, 3, 64}, {{"blocks", {2, 3, 2, 17}}}},
      {"mxfp4", "gguf", {128}, {{"blocks", {4, 17}}}},
      {"nvfp4", "gguf", {2, 3, 64}, {{"blocks", {2, 3, 1, 36}}}},
      {"nvfp4", "swizzle-128x4", {2, 65, 80}, {{"codes", {2, 65, 40}}, {"scales", {2, 2, 512}}}},
      {"mxfp4", "swizzle-128x4", {}, {{"codes", {16}}, {"scales", {1, 1, 512}}}},
      {"mxfp4", "ascend-pairs", {2, 3, 70}, {{"codes", {2, 3, 48}}, {"scales", {2, 3, 2, 2}}}},
      {"hif4", "a6-zz", {2, 9, 70}, {{"codes", {2, 9, 64}}, {"scales", {2, 2, 64}}}},
      {"hif4", "a6-nz", {2, 9, 70}, {{"codes", {2, 18, 32}}, {"scales", {2, 2, 64}}}},
      {"hif4", "msmodelslim", {2, 3, 70}, {{"codes", {2, 3, 64}}, {"scales", {2, 3, 8}}}},
  };
  for (const ShapeCase& test : cases) {
    SCOPED_TRACE(testing::Message() << test.format << " " << test.layout);
    write_input(test.input);
    const SafetensorsFile file = quantize({"--format", test.format, "--layout", test.layout});
    for (const auto& [name, shape] : test.output) {
      ASSERT_NE(file.find(std::string("x.") + name), nullptr) << name;
      EXPECT_EQ(file.tensor(std::string("x.") + name).shape, shape) << name;
      EXPECT_EQ(file.tensor(std::string("x.") + name).dtype, DType::kU8) << name;
    }
    const size_t tensor_scales = std::string(test.format) == "nvfp4" ? 1 : 0;
    EXPECT_EQ(file.tensors().size(), test.output.size() + tensor_scales);
  }
}

TEST_F(QuantizeLayouts, GgufBlockByHand) {
  // Largest magnitude 6: scale 1 (code 127). Element i has the code i mod 16.
  const float magnitudes[] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
  std::vector<float> values;
  for (int i = 0; i < 32; ++i) {
    const float magnitude = magnitudes[i % 8];
    values.push_back(i % 16 < 8 ? magnitude : -magnitude);
  }
  TensorFile input;
  input.set("x", DType::kF32, {32}, values);
  input.write(path("in"));
  EXPECT_THAT(elements_of<uint8_t>(quantize({"--layout", "gguf"}), "x.blocks"),
              ElementsAre(127, 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA,
                          0xBB, 0xCC, 0xDD, 0xEE, 0xFF));
}

TEST_F(QuantizeLayouts, LayoutOfAnotherFormatIsRefusedWithThoseOfTheFormat) {
  write_input({64});
  const Arguments command{"quantize", path("in"), "-o", path("out")};
  const auto refused = [&](const char* format, const char* layout,
                           const std::vector<std::string>& fragments) {
    Arguments arguments = command;
    arguments.insert(arguments.end(), {"--format", format, "--layout", layout});
    expect_refused(folder, arguments, fragments);
  };
  refused("hif4", "gguf", {"--layout", "'gguf'", "hif4", layout_names(kHif4)});
  refused("mxfp4", "amct", {"--layout", "'amct'", "mxfp4", layout_names(kMxfp4)});
  refused("nvfp4", "ascend-pairs", {"'ascend-pairs'", layout_names(kNvfp4)});
  refused("mxfp4", "random", {"'random'", layout_names(kMxfp4)});
}

TEST_F(QuantizeLayouts, RecordsRefuseRowsThatDoNotDivide) {
  write_input({3, 96});
  const Arguments command{"quantize", path("in"), "-o", path("out"), "--layout", "gguf"};
  Arguments nvfp4 = command;
  nvfp4.insert(nvfp4.end(), {"--format", "nvfp4"});
  expect_refused(folder, nvfp4, {path("in"), "tensor 'x'", "96", "records of 64"});
  write_input({3, 70});
  expect_refused(folder, command, {path("in"), "tensor 'x'", "70", "records of 32"});
}

TEST_F(QuantizeLayouts, AreListed) {
  const ProgramRun run = run_program({"list", "layouts"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  for (const Layout& layout : layouts()) {
    EXPECT_THAT(run.out, HasSubstr("\n" + std::string(layout.name) + " "));
    EXPECT_THAT(run.out, HasSubstr(std::string(layout.meaning)));
    EXPECT_THAT(run.out, HasSubstr(std::string(layout.provenance)));
  }
  EXPECT_THAT(run.out, HasSubstr(" mxfp4 nvfp4 "));
}

}  // namespace
}  // namespace nibblecore
