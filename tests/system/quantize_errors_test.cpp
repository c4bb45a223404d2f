// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/support/expect_refused.hpp"
#include "tests/system/support/tensor_file.hpp"
#include "tests/unit/trace/safetensors_bytes.hpp"

namespace nibblecore {
namespace {

/// A folder with a good input file, `in`, and what it takes to refuse to quantize.
class QuantizeErrors : public testing::Test {
 protected:
  QuantizeErrors() {
    TensorFile input;
    input.set("x", DType::kF32, {64}, std::vector<float>(64, 1.0F));
    input.write(path("in"));
  }

  std::string path(const std::string& name) const { return (folder.path() / name).string(); }

  /// Every message names the file, and `fragments`.
  void refused_file(const std::string& bytes, std::vector<std::string> fragments) {
    folder.write("bad", bytes);
    fragments.push_back(path("bad"));
    expect_refused(folder, {"quantize", path("bad"), "-o", path("out")}, fragments);
  }

  void refused_options(const Arguments& options, const std::vector<std::string>& fragments) {
    Arguments arguments{"quantize", path("in"), "-o", path("out")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_refused(folder, arguments, fragments);
  }

  void refused_output(const std::string& output, const std::vector<std::string>& fragments) {
    expect_refused(folder, {"quantize", path("in"), "-o", output}, fragments);
  }

  TemporaryFolder folder;
};

TEST_F(QuantizeErrors, InputIsNoFile) {
  expect_refused(folder, {"quantize", path("missing"), "-o", path("out")},
                 {path("missing"), "No such file"});
  expect_refused(folder, {"quantize", folder.path().string(), "-o", path("out")},
                 {folder.path().string(), "not a regular file"});
}

TEST_F(QuantizeErrors, EveryTruncation) {
  const std::string whole = read_bytes(path("in"));
  for (const size_t size :
       {size_t{0}, size_t{7}, size_t{8}, size_t{40}, whole.size() - 256, whole.size() - 1}) {
    SCOPED_TRACE(size);
    refused_file(whole.substr(0, size), {});
  }
  refused_file(whole + "x", {"buffer of 257 bytes"});
}

TEST_F(QuantizeErrors, OverlapAndHole) {
  const std::string buffer(192, '\0');
  const auto header = [](int begin, int end) {
    return R"({"p":{"dtype":"F32","shape":[32],"data_offsets":[0,128]},)"
           R"("q":{"dtype":"F32","shape":[16],"data_offsets":[)" +
           std::to_string(begin) + "," + std::to_string(end) + "]}}";
  };
  refused_file(safetensors_bytes(header(64, 128), buffer), {"\"q\"", "data_offsets", "overlap"});
  refused_file(safetensors_bytes(header(132, 196), std::string(196, '\0')),
               {"data_offsets", "hole"});
}

TEST_F(QuantizeErrors, Header) {
  refused_file(little_endian(100'000'001) + "{}", {"offset 0", "100000001"});
  refused_file(little_endian(~uint64_t{0}) + "{}", {"offset 0", "18446744073709551615"});
  refused_file(safetensors_bytes("[]", ""), {"offset 8"});
  refused_file(
      safetensors_bytes(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},})", "abcd"),
      {"offset"});
  refused_file(
      safetensors_bytes(R"({"x":{"dtype":"F99","shape":[1],"data_offsets":[0,4]}})", "abcd"),
      {"\"x\"", "dtype", "F99"});
  refused_file(
      safetensors_bytes(
          R"({"x":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}})", "abcd"),
      {"\"x\"", "shape", "64 bits"});
}

TEST_F(QuantizeErrors, TypeWithoutQuantizer) {
  TensorFile input;
  input.set("good", DType::kF32, {2}, std::vector<float>{1, 2});
  input.set("wide", DType::kF64, {2}, std::vector<double>{1, 2});
  input.write(path("bad"));
  expect_refused(folder, {"quantize", path("bad"), "-o", path("out")},
                 {path("bad"), "'wide'", "F64", "F32 and BF16"});
}

TEST_F(QuantizeErrors, UnknownNames) {
  refused_options({"--format", "mxfp5"}, {"mxfp5", "mxfp4", "hif4", "nvfp4"});
  refused_options({"--preset", "torchao"}, {"--preset", "'torchao'", "torchao_floor"});
  refused_options({"--format", "hif4", "--preset", "rceil"}, {"--preset", "'rceil'", "amct"});
  refused_options({"--scale-rule", "round"}, {"--scale-rule", "'round'", "rceil"});
  refused_options({"--rounding", "up"}, {"--rounding", "'up'", "half_away"});
}

TEST_F(QuantizeErrors, OptionsThatContradict) {
  refused_options({"--format", "hif4", "--scale-rule", "rceil"}, {"--scale-rule", "mxfp4"});
  refused_options({"--format", "nvfp4", "--rounding", "rne"}, {"--rounding", "mxfp4"});
  refused_options({"--preset", "rceil", "--scale-rule", "rceil"}, {"--preset", "--scale-rule"});
  refused_options({"--preset", "rceil", "--rounding", "rne"}, {"--preset", "--rounding"});
}

TEST_F(QuantizeErrors, Threads) {
  refused_options({"--threads", "-1"}, {"--threads"});
  refused_options({"--threads", "two"}, {"--threads"});
}

TEST_F(QuantizeErrors, OutputThatCannotBeWritten) {
  refused_output(path("missing/out"), {path("missing/out")});
  refused_output(path("in/out"), {path("in/out")});
  refused_output(folder.path().string(), {folder.path().string(), "not a regular file"});
  refused_output("/dev/null", {"/dev/null", "not a regular file"});
}

TEST_F(QuantizeErrors, FullDiskLeavesTheOlderOutput) {
  TensorFile input;
  input.set("x", DType::kF32, {65536}, std::vector<float>(65536, 1.0F));
  input.write(path("large"));
  folder.write("out", "older");
  const std::vector<std::string> before = folder.entries();
  const ProgramRun run =
      run_program_through(on_full_disk(8), {"quantize", path("large"), "-o", path("out")});
  expect_refusal(run, folder, before, {path("out"), "disk full"});
  EXPECT_EQ(read_bytes(path("out")), "older");
}

}  // namespace
}  // namespace nibblecore
