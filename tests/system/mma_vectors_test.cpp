// SPDX-License-Identifier: Apache-2.0
// The program over the golden vectors of block-scaled MMA, whole files at a time.
#include "tests/unit/reference/mma_vectors.hpp"

#include <array>
#include <iostream>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "model/trace/safetensors_reader.hpp"
#include "tests/system/support/program.hpp"
#include "tests/system/support/tensor_file.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

/// The engines that have these policies.
constexpr std::array<const char*, 3> kEngines{"reference", "emulator", "systemc"};

constexpr uint32_t kSign = 0x80000000;

class MmaVectorFiles : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  MmaVectorFiles() : vectors(std::get<1>(GetParam())) {}

  /// d of the program under `policy`.
  std::vector<uint32_t> run(const std::string& policy) const {
    const std::string engine = std::get<0>(GetParam());
    const std::string input = std::string(NIBBLECORE_TEST_DATA) + "/vectors/mma/" +
                              std::get<1>(GetParam()) + ".safetensors";
    const std::string output = (folder_.path() / "out").string();
    const ProgramRun run = run_program({"mma", input, "-o", output, "--format", "mxfp4", "--block",
                                        std::to_string(vectors.format.block), "--scale",
                                        std::string(scale_name(vectors.format.scale)),
                                        "--accumulate", policy, "--engine", engine});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return elements_of<uint32_t>(SafetensorsFile(output), "d");
  }

  /// Every output but those whose status has bit 0 where `with_status` says, zero signs apart.
  void expect_equal(const std::vector<uint32_t>& d, const std::vector<uint32_t>& expected,
                    bool with_status) const {
    ASSERT_EQ(d.size(), expected.size());
    int64_t compared = 0;
    int64_t mismatching = 0;
    int64_t zeros = 0;
    int64_t zero_signs_that_differ = 0;
    for (size_t i = 0; i < d.size(); ++i) {
      if (with_status && (vectors.status[i] & 1) != 0) {
        continue;
      }
      ++compared;
      const bool both_zero = ((d[i] | expected[i]) & ~kSign) == 0;
      mismatching += !both_zero && d[i] != expected[i] ? 1 : 0;
      zeros += both_zero ? 1 : 0;
      zero_signs_that_differ += both_zero && d[i] != expected[i] ? 1 : 0;
    }
    std::cout << compared << " compared, " << mismatching << " mismatching, " << zeros << " zeros, "
              << zero_signs_that_differ << " of other sign\n";
    EXPECT_EQ(mismatching, 0);
    EXPECT_EQ(zero_signs_that_differ, 0);
    EXPECT_GE(compared, 66'533);  // 67,072 outputs, 539 of which raised at most
  }

  MmaVectors vectors;

 private:
  TemporaryFolder folder_;
};

TEST_P(MmaVectorFiles, BlackwellGivesD) { expect_equal(run("blackwell"), vectors.d, false); }

TEST_P(MmaVectorFiles, BlackwellV1GivesDV1) {
  expect_equal(run("blackwell-v1"), vectors.d_v1, true);
}

INSTANTIATE_TEST_SUITE_P(
    All, MmaVectorFiles,
    testing::Combine(testing::ValuesIn(kEngines), testing::ValuesIn(kMmaVectorFiles)),
    [](const testing::TestParamInfo<std::tuple<const char*, const char*>>& test) {
      return std::string(std::get<0>(test.param)) + "_" + std::get<1>(test.param);
    });

}  // namespace
}  // namespace nibblecore
