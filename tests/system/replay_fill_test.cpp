// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/support/expect_refused.hpp"
#include "tests/system/support/program.hpp"
#include "tests/system/support/report.hpp"
#include "tests/system/support/small_trace.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A layer in decoding and in training, an expert's share of tokens, a head, and one record with
/// operands of its own.
class ReplayFill : public testing::Test {
 protected:
  ReplayFill() {
    std::vector<float> values;
    for (int i = 0; i < 4 * 40; ++i) {
      values.push_back(static_cast<float>(i % 13) * 0.71F - 3);
    }
    trace_.tensors().set("x", DType::kF32, {4, 40}, values);
    add(0, "rollout.decode0", "fprop", "up", R"("M":1,"N":70,"K":96)");
    add(1, "train", "fprop", "up", R"("M":33,"N":70,"K":96,"count":3)");
    add(2, "train", "dgrad", "up", R"("M":33,"N":96,"K":70)");
    add(3, "train", "wgrad", "up", R"("M":70,"N":96,"K":33)");
    add(4, "train", "fprop", "expert", R"("M":5,"N":24,"K":96,"batch":2,"expert":1)");
    trace_.add(5, R"("M":4,"N":4,"K":40)", "x", "x");
    trace_.add(R"({"id":6,"phase":"train","layer":"lm_head","gemm":"fprop","M":8,"N":8,"K":32,)"
               R"("quantize":false})");
    trace_.write();
  }

  void add(int id, const std::string& phase, const std::string& kind, const std::string& layer,
           const std::string& shape) {
    trace_.add(R"({"id":)" + std::to_string(id) + R"(,"phase":")" + phase + R"(","layer":")" +
               layer + R"(","gemm":")" + kind + R"(","quantize":true,)" + shape + "}");
  }

  std::string trace() const { return trace_.path().string(); }
  std::filesystem::path out() const { return trace_.folder().path() / "out"; }

  ProgramRun run(const Arguments& options) const {
    Arguments arguments{"replay", trace(), "-o", out().string()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_program(arguments);
  }

  Report report(const Arguments& options) const {
    const ProgramRun finished = run(options);
    EXPECT_EQ(finished.exit_code, 0) << finished.err << finished.out;
    return Report(out());
  }

  SmallTrace trace_;
};

class ReplayFillFidelities : public ReplayFill, public testing::WithParamInterface<const char*> {};

TEST_P(ReplayFillFidelities, ComputesFilledRecordsAndMarksThem) {
  for (const char* const format : {"mxfp4", "hif4"}) {
    const ProgramRun finished = run({"--format", format, "--fill", "t4", "--fill-outliers",
                                     "0.05:30", "--fidelity", GetParam(), "--online", "both"});
    ASSERT_EQ(finished.exit_code, 0) << finished.err << finished.out;
    EXPECT_THAT(finished.out, HasSubstr("SYNTHETIC VALUES (bf16) where the trace has none: x t4 "
                                        "with 0.05 of the channels times 30, w t4, dy t4\n"));
    EXPECT_THAT(finished.out, HasSubstr("7 of the GEMMs computed had SYNTHETIC VALUES\n"));
    const Report report(out());
    EXPECT_EQ(integer(report.totals(), "synthetic_gemms"), 7);
    EXPECT_EQ(integer(report.totals(), "mismatches"), 0);
    EXPECT_EQ(integer(report.totals(), "emulator_mismatches"), 0);
    EXPECT_EQ(integer(report.totals(), "outputs"),
              70 + 3 * 33 * 70 + 33 * 96 + 70 * 96 + 2 * 5 * 24 + 16);
    const bool compares = std::string(GetParam()) != "numeric";
    const std::vector<std::vector<std::string>> csv = read_csv(out() / "gemms.csv");
    EXPECT_EQ(csv[0].back(), "values");
    for (int64_t id = 0; id < 7; ++id) {
      const char* const values = id < 5 ? "synthetic" : id == 5 ? "trace" : "none";
      const json::object& gemm = report.gemm(id);
      EXPECT_EQ(gemm.at("values").as_string(), values);
      EXPECT_EQ(csv[static_cast<size_t>(id) + 1].back(), values);
      EXPECT_EQ(integer(gemm, "compared") > 0, compares && id < 6) << id;
      if (id < 6) {
        EXPECT_GT(gemm.at("snr_db").as_double(), 8.0) << id;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fidelities, ReplayFillFidelities,
                         testing::Values("cycle", "sampled", "numeric"),
                         [](const auto& fidelity) { return std::string(fidelity.param); });

TEST_F(ReplayFill, ConfigurationHoldsTheFill) {
  const Report filled = report({"--fidelity", "numeric", "--fill", "x=t8:2,dy=laplace:1e-4",
                                "--fill-outliers", "x=0.01:64,w=0.5:0.25", "--fill-type", "f32"});
  const json::object& fill = filled.configuration().at("fill").as_object();
  EXPECT_EQ(fill.at("type").as_string(), "f32");
  const auto expect_tensor = [&](const char* name, const char* law, double scale, double rate,
                                 double factor) {
    const json::object& tensor = fill.at(name).as_object();
    EXPECT_EQ(tensor.at("law").as_string(), law);
    EXPECT_EQ(tensor.at("scale").as_double(), scale);
    EXPECT_EQ(tensor.at("outlier_rate").as_double(), rate);
    EXPECT_EQ(tensor.at("outlier_factor").as_double(), factor);
  };
  expect_tensor("x", "t8", 2, 0.01, 64);
  expect_tensor("w", "gaussian", 1, 0.5, 0.25);
  expect_tensor("dy", "laplace", 1e-4, 0, 1);

  const Report plain = report({"--fidelity", "numeric", "--filter", "layer=^l"});
  EXPECT_TRUE(plain.configuration().at("fill").is_null());
  EXPECT_EQ(integer(plain.totals(), "synthetic_gemms"), 0);
}

TEST_F(ReplayFill, RecordsWithOperandsKeepTheirs) {
  const Arguments alone{"--fidelity", "numeric", "--filter", "layer=^l$", "--seed", "3"};
  Arguments filling = alone;
  filling.insert(filling.end(), {"--fill", "t2"});
  EXPECT_EQ(report(alone).gemm(5), report(filling).gemm(5));
}

TEST_F(ReplayFill, ReportsDependOnTheSeedAndNotOnThreads) {
  const auto bytes = [&](const char* seed, const char* threads) {
    const ProgramRun finished =
        run({"--fidelity", "numeric", "--fill", "gaussian", "--seed", seed, "--threads", threads});
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return read_bytes(out() / "report.json");
  };
  const std::string first = bytes("1", "1");
  EXPECT_EQ(bytes("1", "3"), first);
  const json::value ratio = Report(out()).gemm(1).at("snr_db");
  bytes("2", "1");
  EXPECT_NE(Report(out()).gemm(1).at("snr_db"), ratio);
}

TEST_F(ReplayFill, OutlierChannelsPressTheOthersOfTheirBlockToZero) {
  const auto underflows = [&](const char* outliers, int64_t id, const char* operand) {
    return report({"--fidelity", "numeric", "--fill", "gaussian", "--fill-outliers", outliers})
        .gemm(id)
        .at(operand)
        .at("underflow_share")
        .as_double();
  };
  // Four of 96 channels: a block without one is rare. Along K in fprop, whole rows in wgrad.
  EXPECT_GT(underflows("0.04:1000", 1, "a"), 0.5);
  EXPECT_LT(underflows("0:1000", 1, "a"), 0.2);
  EXPECT_LT(underflows("0.04:1000", 1, "b"), 0.2);
  EXPECT_LT(underflows("0.04:1000", 3, "b"), 0.2);
}

TEST_F(ReplayFill, ItsTypeIsWhatTheCoreLoads) {
  const auto loaded = [&](const char* type) {
    return integer(report({"--fill", "gaussian", "--fill-type", type, "--online", "a", "--filter",
                           "phase=rollout"})
                       .gemm(0),
                   "loaded_bytes");
  };
  EXPECT_EQ(loaded("f32") - loaded("bf16"), 2 * 96);
}

TEST_F(ReplayFill, StochasticRoundingAndLayerMeasuresTakeFilledRecords) {
  const Report measured = report({"--fidelity", "numeric", "--fill", "gaussian", "--layer-measures",
                                  "--scheme", "fp4_all_the_way", "--filter", "layer=up"});
  EXPECT_EQ(integer(measured.totals(), "synthetic_gemms"), 6);
  const json::array& mismatches =
      measured.section("layers").at("rollout_against_training").as_array();
  ASSERT_EQ(mismatches.size(), 1);
  EXPECT_EQ(mismatches[0].at("layer").as_string(), "up");
}

TEST_F(ReplayFill, RefusesWhatMakesNoSense) {
  const auto refused = [&](const Arguments& options, const std::vector<std::string>& fragments) {
    Arguments arguments{"replay", trace(), "-o", out().string()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_refused(trace_.folder(), arguments, fragments);
  };
  refused({"--fill", "cauchy"}, {"--fill", "'cauchy'", "gaussian"});
  refused({"--fill", "gaussian", "--fill-outliers", "2:3"}, {"--fill-outliers", "0 to 1"});
  refused({"--fill", "gaussian", "--fill-outliers", "0.1:inf"}, {"--fill-outliers", "finite"});
  refused({"--fill", "gaussian", "--fill-type", "f16"}, {"--fill-type", "'f16'"});
  refused({"--fill-outliers", "0.1:3"}, {"--fill-outliers", "--fill, which is missing"});
  refused({"--fill-type", "f32"}, {"--fill-type", "--fill, which is missing"});
  refused({"--fill", "gaussian", "--fidelity", "timing"}, {"--fill", "timing"});
  refused({"--filter", "layer=up"}, {"gemms.jsonl:1", "no operands", "--fill"});
}

TEST_F(ReplayFill, RefusesRecordsBeyondMemoryBeforeAnyWork) {
  add(7, "train", "fprop", "huge", R"("M":1048576,"N":1048576,"K":1048576)");
  add(8, "train", "fprop", "beyond", R"("M":2147483648,"N":1,"K":2147483648)");
  trace_.write();
  const auto refused = [&](const std::string& filter, const std::vector<std::string>& fragments) {
    expect_refused(trace_.folder(),
                   {"replay", trace(), "--fidelity", "numeric", "--fill", "gaussian", "--filter",
                    filter, "-o", out().string()},
                   fragments);
  };
  refused("", {"gemms.jsonl:8", "8796093022208 bytes"});
  refused("layer=beyond", {"gemms.jsonl:9", "64 bits"});
  EXPECT_EQ(run({"--fidelity", "numeric", "--fill", "gaussian", "--filter", "layer=up"}).exit_code,
            0);
}

}  // namespace
}  // namespace nibblecore
