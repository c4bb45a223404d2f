// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/system/support/expect_refused.hpp"
#include "tests/system/support/mma_input.hpp"

namespace nibblecore {
namespace {

constexpr MmaFormat kMxfp4{"", "mxfp4", 32, "ue8m0"};

class MmaErrors : public testing::Test {
 protected:
  MmaErrors() : file(MmaInput(kMxfp4, {2, 3, 4, 64}).file()) {}

  std::string path(const std::string& name) const { return (folder.path() / name).string(); }

  void refused(const std::vector<std::string>& fragments, const Arguments& options = {}) {
    file.write(path("in"));
    Arguments arguments{"mma", path("in"), "-o", path("out")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_refused(folder, arguments, fragments);
  }

  /// One tensor of another type or shape; the message names file and tensor.
  void refused_tensor(const std::string& name, DType dtype, const std::vector<int64_t>& shape,
                      std::vector<std::string> fragments) {
    const TensorFile good = file;
    file.set(name, dtype, shape,
             std::vector<uint8_t>(static_cast<size_t>(tensor_bytes(dtype, shape, ""))));
    fragments.insert(fragments.end(), {path("in"), "'" + name + "'"});
    refused(fragments);
    file = good;
  }

  TemporaryFolder folder;
  TensorFile file;
};

TEST_F(MmaErrors, MissingTensors) {
  for (const char* const name : {"a", "a_scale", "b", "b_scale", "c"}) {
    const TensorFile good = file;
    file.remove(name);
    refused({path("in"), "\"" + std::string(name) + "\""});
    file = good;
  }
}

TEST_F(MmaErrors, Types) {
  refused_tensor("a", DType::kI8, {2, 3, 32}, {"I8", "U8"});
  refused_tensor("a_scale", DType::kF8E8m0, {2, 3, 2}, {"F8_E8M0", "U8"});
  refused_tensor("b", DType::kF4, {2, 4, 64}, {"F4", "U8"});
  refused_tensor("b_scale", DType::kF32, {2, 4, 2}, {"F32", "U8"});
  refused_tensor("c", DType::kI32, {2, 3, 4}, {"I32", "F32 or U32"});
  refused_tensor("c", DType::kF64, {2, 3, 4}, {"F64", "F32 or U32"});
}

TEST_F(MmaErrors, Shapes) {
  refused_tensor("a", DType::kU8, {3, 32}, {"[3, 32]", "three axes"});
  refused_tensor("c", DType::kU32, {2, 3, 2, 2}, {"[2, 3, 2, 2]", "three axes"});
  refused_tensor("c", DType::kU32, {2, 4, 3}, {"[2, 4, 3]", "[2, 3, 4]"});
  refused_tensor("a_scale", DType::kU8, {2, 3, 3}, {"[2, 3, 3]", "[2, 3, 2]"});
  refused_tensor("b_scale", DType::kU8, {2, 3, 2}, {"[2, 3, 2]", "[2, 4, 2]"});
}

TEST_F(MmaErrors, TilesAndKThatDiffer) {
  const TensorFile good = file;
  file.set("b_scale", DType::kU8, {1, 4, 2}, std::vector<uint8_t>(8));
  refused_tensor("b", DType::kU8, {1, 4, 32}, {"[1, 4, 32]", "[2, 3, 32]"});
  file = good;
  file.set("b_scale", DType::kU8, {2, 4, 3}, std::vector<uint8_t>(24));
  refused_tensor("b", DType::kU8, {2, 4, 48}, {"[2, 4, 48]", "[2, 3, 32]"});
}

TEST_F(MmaErrors, KIsNoMultipleOfTheBlock) {
  refused_tensor("a", DType::kU8, {2, 3, 24}, {"K = 48", "32"});
  file = MmaInput({"", "hif4", 64, "hif4"}, {1, 1, 1, 64}).file();
  file.set("a", DType::kU8, {1, 1, 16}, std::vector<uint8_t>(16));
  refused({"'a'", "K = 32", "64"}, {"--format", "hif4", "--block", "64", "--scale", "hif4"});
}

TEST_F(MmaErrors, EmptySizes) {
  for (const MmaShape& shape :
       {MmaShape{1, 0, 4, 32}, MmaShape{1, 4, 0, 32}, MmaShape{1, 4, 4, 0}}) {
    file = MmaInput(kMxfp4, shape).file();
    for (const char* const engine : {"reference", "emulator", "systemc"}) {
      refused({path("in"), "must be positive"}, {"--engine", engine});
    }
  }
}

TEST_F(MmaErrors, UnknownNames) {
  refused({"'mxfp5'"}, {"--format", "mxfp5"});
  refused({"'e8m0'"}, {"--scale", "e8m0"});
  refused({"--engine", "'gpu'", "reference, emulator, systemc"}, {"--engine", "gpu"});
  refused({"'bf16'", "fp32-rne"}, {"--accumulate", "bf16"});
  refused({"48"}, {"--block", "48"});
  refused({"--block"}, {"--block", "many"});
}

TEST_F(MmaErrors, ElementBlockAndScaleThatDoNotGoTogether) {
  refused({"hif4"}, {"--format", "hif4", "--block", "32", "--scale", "hif4"});
  refused({"hif4"}, {"--format", "hif4", "--block", "64", "--scale", "ue8m0"});
  refused({"hif4"}, {"--format", "mxfp4", "--block", "64", "--scale", "hif4"});
}

TEST_F(MmaErrors, PoliciesWithoutACircuit) {
  for (const char* const policy : {"fp32-fused", "exact", "blackwell-mxf8f6f4"}) {
    refused({"--accumulate", "'" + std::string(policy) + "'", "SystemC", "fp32-rne"},
            {"--engine", "systemc", "--accumulate", policy});
  }
}

TEST_F(MmaErrors, PoliciesWithoutArithmeticForTheFormat) {
  for (const char* const engine : {"reference", "emulator", "systemc"}) {
    for (const char* const policy : {"blackwell", "blackwell-v1"}) {
      const Arguments options{"--engine", engine, "--accumulate", policy};
      const auto with = [&](Arguments more) {
        more.insert(more.end(), options.begin(), options.end());
        return more;
      };
      refused(
          {"--accumulate", "'" + std::string(policy) + "'", "E2M1 elements in blocks of 16 or 32"},
          with({"--format", "hif4", "--block", "64", "--scale", "hif4"}));
      refused({"--accumulate", "E2M1 elements in blocks of 16 or 32"}, with({"--block", "64"}));
    }
  }
  refused({"--accumulate", "'blackwell-mxf8f6f4'", "E2M1 elements under ue8m0 in blocks of 32"},
          {"--accumulate", "blackwell-mxf8f6f4", "--block", "16"});
}

TEST_F(MmaErrors, KIsNoMultipleOfAnInstruction) {
  file = MmaInput(kMxfp4, {1, 2, 2, 96}).file();
  for (const char* const policy : {"blackwell", "blackwell-v1"}) {
    refused(
        {path("in"), "'a'", "K = 96 is not a multiple of the 64", "'" + std::string(policy) + "'"},
        {"--accumulate", policy});
  }
  file.set("a", DType::kU8, {1, 2, 24}, std::vector<uint8_t>(48));
  refused({path("in"), "'a'", "K = 48 is not a multiple of the block of 32"},
          {"--accumulate", "blackwell-mxf8f6f4"});
}

TEST_F(MmaErrors, TheCoreDoesNotTellWhatTruncationTakes) {
  refused({"--truncation", "'systemc'", "'reference'"},
          {"--engine", "systemc", "--accumulate", "blackwell", "--truncation"});
}

TEST_F(MmaErrors, FilesThatAreNotThere) {
  expect_refused(folder, {"mma", path("missing"), "-o", path("out")}, {path("missing")});
  file.write(path("in"));
  expect_refused(folder, {"mma", path("in"), "-o", path("missing/out")}, {path("missing/out")});
}

}  // namespace
}  // namespace nibblecore
