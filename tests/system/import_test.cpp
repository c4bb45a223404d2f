// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/trace/manifest.hpp"
#include "tests/system/support/expect_refused.hpp"
#include "tests/system/support/program.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

std::string data(const std::string& name) {
  return std::string(NIBBLECORE_TEST_DATA) + "/import/" + name;
}

class Import : public testing::Test {
 protected:
  std::string trace() const { return (folder.path() / "trace").string(); }

  ProgramRun import(const std::string& importer, const std::string& file,
                    const Arguments& more = {}) const {
    Arguments arguments{"import", importer, data(file), "-o", trace()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }

  TemporaryFolder folder;
};

TEST_F(Import, EndsWithWhatWasTakenAndSkipped) {
  const ProgramRun run = import("kineto", "kineto_training.json", {"--merge", "none"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(run.out, EndsWith("taken 6 operators, 6 records\n"
                                "  operator addmm: 1\n"
                                "  operator mm: 5\n"
                                "  gemm fprop: 2\n"
                                "  gemm dgrad: 2\n"
                                "  gemm wgrad: 2\n"
                                "  phase train: 6\n"
                                "  backward mm linked to forward: 4 of 4\n"
                                "skipped 11 operators\n"
                                "  wrapper: the GEMM nested in it is taken or counted itself: 3\n"
                                "  wrapper without a GEMM nested in it: 1\n"
                                "  no shapes recorded: 1\n"
                                "  grouped: rows per expert not recorded: 1\n"
                                "  unknown operator that looks like a GEMM: 1\n"
                                "    \"_C::cutlass_gemm_w4a4\": 1\n"
                                "  bad shapes: not those of a product: 1\n"
                                "  empty product: a dimension is 0: 1\n"
                                "  not a complete event (\"ph\" is not \"X\"): 1\n"
                                "  no start or no duration: 1\n"));
  EXPECT_EQ(read_manifest(trace()).size(), 6U);
}

// Every step of the way from a profile to times.
TEST_F(Import, WhatItWritesCanBeReplayed) {
  ASSERT_EQ(import("et", "tiny_grpo_et.json.gz", {"--unquantized", R"(linear\.28$)"}).exit_code, 0);
  int64_t quantized = 0;
  int64_t heads = 0;
  for (const GemmRecord& record : read_manifest(trace())) {
    quantized += record.quantize ? record.count : 0;
    heads += !record.quantize && record.batch == 1 ? record.count : 0;
  }
  // 235 mm and 84 addmm; the head runs in 5 forward passes, 2 mini-batches of which have 2 more.
  EXPECT_EQ(quantized + heads, 235 + 84);
  EXPECT_EQ(heads, 11);
  const ProgramRun replay = run_program(
      {"replay", trace(), "--fidelity", "timing", "-o", (folder.path() / "r").string()});
  EXPECT_EQ(replay.exit_code, 0) << replay.err;
}

TEST_F(Import, OptionsReachTheRecords) {
  ASSERT_EQ(import("csv", "scale_sim_gemm.csv", {"--phase", "rollout.decode", "--merge", "shape"})
                .exit_code,
            0);
  const std::vector<GemmRecord> records = read_manifest(trace());
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].phase, "rollout.decode");
  EXPECT_EQ(records[0].count, 2);
  EXPECT_TRUE(records[0].quantize);
}

TEST_F(Import, Refusals) {
  const auto refused = [&](const std::string& importer, const std::string& file,
                           const std::vector<std::string>& fragments, const Arguments& more = {}) {
    Arguments arguments{"import", importer, file, "-o", trace()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    expect_refused(folder, arguments, fragments);
  };
  refused("kineto", data("kineto_without_shapes.json"),
          {"kineto_without_shapes.json", "recorded without record_shapes"});
  refused("csv", data("scale_sim_convolution.csv"), {"convolution", ":1"});
  refused("kineto", data("et_1_0.json"), {"import it as et"});
  refused("et", data("kineto_training.json"), {"import it as kineto"});
  refused("et", data("plain.csv"), {"plain.csv, offset 0", "not JSON"});
  refused("onnx", data("plain.csv"), {"onnx", "kineto, et, csv"});
  refused("csv", data("plain.csv"), {"--merge", "none, layer, shape"}, {"--merge", "all"});
  refused("csv", data("plain.csv"), {"unquantized layers"}, {"--unquantized", "("});
  refused("csv", (folder.path() / "missing").string(), {"missing", "cannot open"});
  const std::string cut = read_bytes(data("tiny_grpo_et.json.gz")).substr(0, 9000);
  refused("et", folder.write("cut.json.gz", cut).string(),
          {"cut.json.gz, offset 9000", "cut short"});
}

}  // namespace
}  // namespace nibblecore
