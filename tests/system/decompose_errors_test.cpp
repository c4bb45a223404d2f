// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/support/expect_refused.hpp"
#include "tests/system/support/tensor_file.hpp"

namespace nibblecore {
namespace {

/// A folder with a good input file, `in`.
class DecomposeErrors : public testing::Test {
 protected:
  DecomposeErrors() {
    input.set("layer.weight", DType::kF32, {2, 32}, std::vector<float>(64, 1.0F));
    input.write(path("in"));
  }

  std::string path(const std::string& name) const { return (folder.path() / name).string(); }

  /// Refused with output files asked for, of which none may appear.
  void refused(const Arguments& options, const std::vector<std::string>& fragments) {
    Arguments arguments{"decompose", path("in"), "--csv", path("csv")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_refused(folder, arguments, fragments);
  }

  TemporaryFolder folder;
  TensorFile input;
};

TEST_F(DecomposeErrors, Input) {
  expect_refused(folder, {"decompose", path("missing"), "--json", path("json")},
                 {path("missing"), "No such file"});
  folder.write("in", read_bytes(path("in")).substr(0, 100));
  refused({}, {path("in")});
}

TEST_F(DecomposeErrors, Axis) {
  refused({"--axis", "2"}, {path("in"), "tensor 'layer.weight'", "no axis 2"});
  refused({"--axis", "-3"}, {"tensor 'layer.weight'", "no axis -3"});
  input.set("bias", DType::kF32, {32}, std::vector<float>(32, 1.0F));
  input.write(path("in"));
  refused({"--axis", "1"}, {"tensor 'bias'", "no axis 1"});
}

TEST_F(DecomposeErrors, Filter) {
  refused({"--filter", "up_proj"}, {"--filter", path("in"), "\"up_proj\""});
  refused({"--filter", "("}, {"--filter", "regular expression"});
  refused({"--filter", std::string(2000, 'a')}, {"--filter", "longer"});
}

TEST_F(DecomposeErrors, TypesThatAreNoInput) {
  input.set("half", DType::kF16, {32}, std::vector<uint16_t>(32));
  input.write(path("in"));
  refused({}, {path("in"), "tensor 'half'", "F16"});
}

TEST_F(DecomposeErrors, Options) {
  refused({"--preset", "nope"}, {"'nope'"});
  refused({"--format", "hif4", "--scale-rule", "floor"}, {"--scale-rule"});
  refused({"--threads", "-1"}, {"--threads"});
  refused({"--axis", "x"}, {"--axis"});
  refused({"--json", path("csv")}, {"--csv, --json", "same file"});
  expect_refused(folder, {"decompose"}, {"required"});
}

TEST_F(DecomposeErrors, OutputFiles) {
  refused({"--json", path("no/json")}, {path("no/json")});
  refused({"--json", folder.path().string()}, {folder.path().string(), "not a regular file"});
}

TEST_F(DecomposeErrors, FullDiskLeavesNoFile) {
  for (int i = 0; i < 40; ++i) {
    input.set("layer" + std::to_string(i), DType::kF32, {32}, std::vector<float>(32, 1.0F));
  }
  input.write(path("in"));
  const std::vector<std::string> before = folder.entries();
  const ProgramRun run = run_program_through(
      on_full_disk(8), {"decompose", path("in"), "--csv", path("csv"), "--json", path("json")});
  expect_refusal(run, folder, before, {path("csv")});
}

}  // namespace
}  // namespace nibblecore
