// SPDX-License-Identifier: Apache-2.0
// Replays under accumulation policies other than the default.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/formats/accumulation.hpp"
#include "tests/system/support/expect_refused.hpp"
#include "tests/system/support/report.hpp"
#include "tests/system/support/small_trace.hpp"

namespace nibblecore {
namespace {

constexpr const char* kTinyGrpo = NIBBLECORE_TEST_DATA "/tiny_grpo";
constexpr const char* kSlice = R"(layer=layers\.0\.self_attn\.q_proj)";

TEST(ReplayAccumulate, TheCoreHasTheGoldenBitsOfEveryPolicyThatItHas) {
  for (const char* const policy : {"blackwell", "blackwell-v1"}) {
    for (const char* const format : {"mxfp4", "nvfp4"}) {
      for (const char* const fidelity : {"cycle", "sampled"}) {
        SCOPED_TRACE(std::string(policy) + " " + format + " " + fidelity);
        const Report report =
            replay_report(kTinyGrpo, {"--accumulate", policy, "--format", format, "--fidelity",
                                      fidelity, "--filter", kSlice, "--online", "both"});
        EXPECT_EQ(report.configuration().at("accumulate").as_string(), policy);
        EXPECT_GT(integer(report.totals(), "compared"), 0);
        EXPECT_EQ(integer(report.totals(), "mismatches"), 0);
        EXPECT_EQ(integer(report.totals(), "emulator_mismatches"), 0);
      }
    }
  }
}

/// One output, 2^24 + 1.5, every block of which is exact.
class ReplaySum : public testing::Test {
 protected:
  ReplaySum() {
    std::vector<float> a(64);
    std::vector<float> b(64);
    a[0] = b[0] = 4096.0F;
    a[32] = 1.5F;
    b[32] = 1.0F;
    trace.tensors().set("a", DType::kF32, {1, 64}, a).set("b", DType::kF32, {1, 64}, b);
    trace.add(0, R"("M":1,"N":1,"K":64)", "a", "b");
    trace.write();
  }

  double decibels(const Arguments& options) const {
    const Report report = replay_report(trace.path().string(), options);
    return report.gemm(0).at("snr_db").as_double();
  }

  SmallTrace trace;
};

TEST_F(ReplaySum, IsRoundedOrTruncatedAsThePolicySays) {
  // The sums are exact; a report has ratios in six decimals, hence the tolerance.
  const double rounded = 20 * std::log10(16777217.5 / 0.5);    // to 2^24 + 2
  const double truncated = 20 * std::log10(16777217.5 / 1.5);  // to 2^24
  for (const char* const fidelity : {"cycle", "sampled", "numeric"}) {
    EXPECT_NEAR(decibels({"--fidelity", fidelity, "--accumulate", "fp32-rne"}), rounded, 1e-5);
    for (const char* const policy : {"blackwell", "blackwell-v1"}) {
      EXPECT_NEAR(decibels({"--fidelity", fidelity, "--accumulate", policy}), truncated, 1e-5);
    }
  }
  EXPECT_NEAR(decibels({"--fidelity", "numeric", "--accumulate", "exact"}), rounded, 1e-5);
  EXPECT_NEAR(decibels({"--fidelity", "numeric", "--accumulate", "fp32-fused"}), rounded, 1e-5);
  EXPECT_NEAR(decibels({"--fidelity", "numeric", "--accumulate", "blackwell-mxf8f6f4"}), truncated,
              1e-5);
}

TEST(ReplayAccumulate, AStepAddsOnceUnderBlackwell) {
  SmallTrace trace;
  trace.tensors()
      .set("a", DType::kF32, {16, 640}, std::vector<float>(size_t{16} * 640, 1.0F))
      .set("b", DType::kF32, {16, 640}, std::vector<float>(size_t{16} * 640, 1.0F));
  trace.add(0, R"("M":16,"N":16,"K":640)", "a", "b");
  trace.write();
  const auto cycles = [&](const char* fidelity, const char* policy) {
    return integer(replay_report(trace.path().string(), {"--fidelity", fidelity, "--accumulate",
                                                         policy, "--online", "none"})
                       .totals(),
                   "cycles");
  };
  const int64_t nodes = cycles("timing", "blackwell");
  EXPECT_EQ(cycles("cycle", "blackwell"), nodes);
  EXPECT_EQ(cycles("timing", "blackwell-v1"), nodes);
  // The last of its ten steps, at least, is one addition of four cycles shorter.
  EXPECT_GE(cycles("timing", "fp32-rne"), nodes + 4);
}

class ReplayAccumulateErrors : public testing::Test {
 protected:
  void refused(const Arguments& options, const std::vector<std::string>& fragments) const {
    Arguments arguments{"replay", kTinyGrpo, "-o", (folder.path() / "out").string()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_refused(folder, arguments, fragments);
  }

  TemporaryFolder folder;
};

TEST_F(ReplayAccumulateErrors, AResidualHasNoPlaceAmongNodes) {
  for (const char* const fidelity : {"cycle", "sampled", "numeric", "timing"}) {
    refused({"--accumulate", "blackwell", "--residual", "2:4", "--fidelity", fidelity},
            {"--residual", "'blackwell'"});
  }
}

TEST_F(ReplayAccumulateErrors, FormatsWithoutItsArithmetic) {
  for (const char* const fidelity : {"cycle", "numeric", "timing"}) {
    refused({"--accumulate", "blackwell-v1", "--format", "hif4", "--fidelity", fidelity},
            {"--accumulate", "'blackwell-v1'", "E2M1"});
  }
  refused({"--accumulate", "blackwell-mxf8f6f4", "--format", "nvfp4", "--fidelity", "numeric"},
          {"--accumulate", "'blackwell-mxf8f6f4'", "ue8m0"});
}

TEST_F(ReplayAccumulateErrors, PoliciesWithoutACircuit) {
  for (const char* const fidelity : {"cycle", "sampled", "timing"}) {
    for (const char* const policy : {"fp32-fused", "exact", "blackwell-mxf8f6f4"}) {
      refused({"--accumulate", policy, "--fidelity", fidelity},
              {"--accumulate", "'" + std::string(policy) + "'", "fp32-rne, blackwell, blackwell-v1",
               "'reference' and 'emulator'"});
    }
  }
}

}  // namespace
}  // namespace nibblecore
