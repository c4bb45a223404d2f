// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>
#include <vector>

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/support/program.hpp"
#include "tests/system/support/report.hpp"
#include "tests/system/support/small_trace.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kTinyGrpo = NIBBLECORE_TEST_DATA "/tiny_grpo";
// Seven GEMMs, M 32, of layer 0.
constexpr const char* kSlice = R"(phase=rollout.decode0,layer=layers\.0)";
constexpr const char* kSliceWithHead = R"(phase=rollout.decode0,layer=layers\.0|lm_head)";

int64_t ceil_divided(int64_t value, int64_t by) { return (value + by - 1) / by; }

// Steps of the default core, 16 x 16 x 64.
int64_t expected_steps(const json::object& gemm) {
  return ceil_divided(integer(gemm, "m"), 16) * ceil_divided(integer(gemm, "n"), 16) *
         ceil_divided(integer(gemm, "k"), 64);
}

/// Runs `replay` into the folder `out`; its report is all that may be there.
ProgramRun replay(const TemporaryFolder& folder, const std::string& trace,
                  const Arguments& options) {
  Arguments arguments{"replay", trace, "-o", (folder.path() / "out").string()};
  arguments.insert(arguments.end(), options.begin(), options.end());
  ProgramRun run = run_program(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  return run;
}

class ReplayFormats : public testing::TestWithParam<const char*> {
 protected:
  TemporaryFolder folder;
  std::filesystem::path out = folder.path() / "out";
};

TEST_P(ReplayFormats, EveryGemmAndItsCycles) {
  const ProgramRun run = replay(folder, kTinyGrpo, {"--format", GetParam(), "--filter", kSlice});
  EXPECT_THAT(run.out, HasSubstr("hardware bits = golden bits: 40,960 of 40,960 outputs equal"));
  const Report report(out);
  ASSERT_EQ(report.gemms().size(), 7U);
  int64_t id = 29;
  for (const json::value& value : report.gemms()) {
    const json::object& gemm = value.as_object();
    SCOPED_TRACE(json::serialize(gemm));
    EXPECT_EQ(integer(gemm, "id"), id++);
    EXPECT_EQ(gemm.at("phase").as_string(), "rollout.decode0");
    EXPECT_EQ(gemm.at("gemm").as_string(), "fprop");
    EXPECT_THAT(std::string(gemm.at("layer").as_string()), HasSubstr("layers.0."));
    EXPECT_EQ(integer(gemm, "m"), 32);
    EXPECT_TRUE(gemm.at("quantized").as_bool());
    EXPECT_EQ(integer(gemm, "macs"), integer(gemm, "m") * integer(gemm, "n") * integer(gemm, "k"));
    EXPECT_EQ(integer(gemm, "outputs"), integer(gemm, "m") * integer(gemm, "n"));
    EXPECT_EQ(integer(gemm, "mismatches"), 0);
    EXPECT_EQ(integer(gemm, "steps"), expected_steps(gemm));
    EXPECT_GT(integer(gemm, "cycles"), integer(gemm, "steps"));
    // Four bits: about 20 dB; far from both a broken product and an unquantized one.
    EXPECT_GT(gemm.at("snr_db").as_double(), 10.0);
    EXPECT_LT(gemm.at("snr_db").as_double(), 40.0);
  }
}

TEST_P(ReplayFormats, TotalsAreSums) {
  replay(folder, kTinyGrpo, {"--format", GetParam(), "--filter", kSliceWithHead});
  const Report report(out);
  const json::object& totals = report.totals();
  EXPECT_EQ(integer(totals, "gemms"), 8);
  for (const char* const name : {"outputs", "mismatches", "macs", "steps", "cycles"}) {
    int64_t sum = 0;
    for (const json::value& gemm : report.gemms()) {
      sum += integer(gemm.as_object(), name);
    }
    EXPECT_EQ(integer(totals, name), sum) << name;
  }
  const json::object& causes = totals.at("cycles_by_cause").as_object();
  int64_t by_cause = 0;
  for (const auto& cause : causes) {
    by_cause += cause.value().as_int64();
  }
  EXPECT_EQ(by_cause, integer(totals, "cycles"));
  EXPECT_EQ(integer(causes, "busy"), integer(totals, "steps"));
}

TEST_P(ReplayFormats, SaysWhatWasRun) {
  replay(folder, kTinyGrpo, {"--format", GetParam(), "--filter", kSlice});
  const Report report(out);
  const json::object& configuration = report.section("configuration");
  EXPECT_EQ(configuration.at("trace").as_string(), kTinyGrpo);
  EXPECT_EQ(configuration.at("format").as_string(), GetParam());
  EXPECT_EQ(configuration.at("filter").as_string(), kSlice);
  EXPECT_EQ(configuration.at("accumulate").as_string(), "fp32-rne");
  EXPECT_EQ(configuration.at("fidelity").as_string(), "cycle");
  EXPECT_EQ(configuration.at("machine").as_object().at("name").as_string(), "core16x16x64");
  EXPECT_EQ(report.section("versions").at("nibblecore").as_string(), NIBBLECORE_VERSION);
}

TEST_P(ReplayFormats, SameBytesEachTimeAndWithAnyNumberOfThreads) {
  const Arguments options{"--format", GetParam(), "--filter", kSliceWithHead};
  const std::string text = replay(folder, kTinyGrpo, options).out;
  const std::string report = read_bytes(out / "report.json");
  const std::string csv = read_bytes(out / "gemms.csv");
  for (const char* const threads : {"0", "1", "2"}) {
    std::filesystem::remove_all(out);
    Arguments with_threads = options;
    with_threads.insert(with_threads.end(), {"--threads", threads});
    EXPECT_EQ(replay(folder, kTinyGrpo, with_threads).out, text);
    EXPECT_EQ(read_bytes(out / "report.json"), report);
    EXPECT_EQ(read_bytes(out / "gemms.csv"), csv);
  }
}

TEST_P(ReplayFormats, CsvSaysWhatTheReportSays) {
  replay(folder, kTinyGrpo, {"--format", GetParam(), "--filter", kSliceWithHead});
  const Report report(out);
  const auto rows = read_csv(out / "gemms.csv");
  ASSERT_EQ(rows.size(), report.gemms().size() + 1);
  for (size_t row = 1; row < rows.size(); ++row) {
    const json::object& gemm = report.gemms()[row - 1].as_object();
    ASSERT_EQ(rows[row].size(), rows[0].size());
    int compared = 0;
    for (size_t column = 0; column < rows[0].size(); ++column) {
      const json::value* const value = gemm.if_contains(rows[0][column]);
      if (value == nullptr) {
        continue;
      }
      ++compared;
      const std::string& cell = rows[row][column];
      if (value->is_double()) {
        EXPECT_EQ(std::stod(cell), value->get_double()) << rows[0][column];
      } else if (value->is_null()) {
        EXPECT_EQ(cell, "") << rows[0][column];
      } else if (value->is_string()) {
        EXPECT_EQ(cell, value->get_string()) << rows[0][column];
      } else {
        EXPECT_EQ(cell, json::serialize(*value)) << rows[0][column];
      }
    }
    EXPECT_GE(compared, 14);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ReplayFormats, testing::Values("mxfp4", "hif4", "nvfp4"),
                         [](const testing::TestParamInfo<const char*>& test) {
                           return std::string(test.param);
                         });

TEST(Replay, HeadIsListedOnly) {
  const TemporaryFolder folder;
  const ProgramRun run = replay(folder, kTinyGrpo, {"--filter", kSliceWithHead});
  EXPECT_THAT(run.out, HasSubstr("1 listed as not quantized"));
  const Report report(folder.path() / "out");
  const json::object& head = report.gemm(57);
  EXPECT_FALSE(head.at("quantized").as_bool());
  EXPECT_EQ(integer(head, "macs"), 32 * 32 * 128);
  EXPECT_EQ(integer(head, "outputs"), 0);
  EXPECT_EQ(integer(head, "mismatches"), 0);
  EXPECT_TRUE(head.at("snr_db").is_null());
}

TEST(Replay, QuantizeAllComputesTheHead) {
  const TemporaryFolder folder;
  replay(folder, kTinyGrpo, {"--filter", kSliceWithHead, "--quantize-all"});
  const Report report(folder.path() / "out");
  const json::object& head = report.gemm(57);
  EXPECT_TRUE(head.at("quantized").as_bool());
  EXPECT_EQ(integer(head, "outputs"), 32 * 32);
  EXPECT_EQ(integer(head, "mismatches"), 0);
  EXPECT_EQ(integer(head, "steps"), 2 * 2 * 2);
  EXPECT_GT(integer(head, "cycles"), 2 * 2 * 2);
  EXPECT_GT(head.at("snr_db").as_double(), 10.0);
  EXPECT_TRUE(report.section("configuration").at("quantize_all").as_bool());
}

TEST(Replay, PhasesMatchByPrefixAndGemmsByName) {
  const TemporaryFolder folder;
  replay(folder, kTinyGrpo, {"--filter", R"(phase=train,gemm=wgrad,layer=layers\.3\.mlp)"});
  const Report report(folder.path() / "out");
  ASSERT_EQ(report.gemms().size(), 3U);
  for (const json::value& gemm : report.gemms()) {
    EXPECT_EQ(gemm.as_object().at("gemm").as_string(), "wgrad");
    // 320 tokens are 5 steps of K.
    EXPECT_EQ(integer(gemm.as_object(), "k"), 320);
  }
}

TEST(Replay, PresetsDiffer) {
  const TemporaryFolder folder;
  std::vector<double> ratios;
  for (const char* const rule : {"rceil", "floor", "ceil"}) {
    replay(folder, kTinyGrpo, {"--filter", kSlice, "--scale-rule", rule});
    const Report report(folder.path() / "out");
    EXPECT_EQ(report.section("configuration").at("preset").as_string(), rule);
    ratios.push_back(report.totals().at("snr_db").as_double());
  }
  EXPECT_NE(ratios[0], ratios[1]);
  EXPECT_NE(ratios[0], ratios[2]);
  EXPECT_NE(ratios[1], ratios[2]);
}

TEST(Replay, CountsAndBatches) {
  SmallTrace trace;
  trace.tensors()
      .set("a", DType::kF32, {5, 96}, std::vector<float>(480, 0.3F))
      .set("b", DType::kF32, {17, 96}, std::vector<float>(1632, -0.7F))
      .set("a2", DType::kF32, {2, 3, 64}, std::vector<float>(384, 0.9F))
      .set("b2", DType::kF32, {2, 4, 64}, std::vector<float>(512, 0.6F));
  trace.add(0, R"("M":5,"N":17,"K":96)", "a", "b", R"("quantize":true,"count":3)");
  trace.add(1, R"("M":3,"N":4,"K":64)", "a2", "b2", R"("quantize":true,"batch":2)");
  trace.add(R"({"id":2,"phase":"train","layer":"lm_head","gemm":"fprop","M":6,"N":7,"K":8,)"
            R"("quantize":false,"count":4})");
  trace.write();
  replay(trace.folder(), trace.path().string(), {});
  const Report report(trace.folder().path() / "out");

  // 1 x 2 tiles of 2 steps; one tile of one step for each product of the batch.
  const json::object& counted = report.gemm(0);
  EXPECT_EQ(integer(counted, "steps"), 4);
  const int64_t counted_cycles = integer(counted, "cycles");
  EXPECT_GT(counted_cycles, 4);
  EXPECT_EQ(integer(counted, "outputs"), 85);
  const json::object& batched = report.gemm(1);
  EXPECT_EQ(integer(batched, "steps"), 2);
  const int64_t batched_cycles = integer(batched, "cycles");
  EXPECT_EQ(batched_cycles % 2, 0);
  EXPECT_EQ(integer(batched, "outputs"), 2 * 12);
  EXPECT_EQ(integer(batched, "macs"), 2 * 3 * 4 * 64);

  const json::object& totals = report.totals();
  EXPECT_EQ(integer(totals, "gemms"), 3 + 1 + 4);
  EXPECT_EQ(integer(totals, "macs"), 3 * 5 * 17 * 96 + 2 * 3 * 4 * 64 + 4 * 6 * 7 * 8);
  EXPECT_EQ(integer(totals, "steps"), 3 * 4 + 2);
  // The head's 336 multiply-accumulates take one cycle on BF16 units of 4096 a cycle.
  EXPECT_EQ(integer(report.gemm(2), "cycles"), 1);
  EXPECT_EQ(integer(totals, "cycles"), 3 * counted_cycles + batched_cycles + 4);
  EXPECT_EQ(integer(totals, "outputs"), 3 * 85 + 24);
  EXPECT_EQ(integer(totals, "mismatches"), 0);
}

TEST(Replay, SignalToNoiseByHand) {
  // Under rceil 1.1 becomes 1, 2 stays 2: the errors of the batch are 0 and 1 - 1.1.
  SmallTrace trace;
  trace.tensors()
      .set("one", DType::kF32, {1, 1}, std::vector<float>{1})
      .set("ones", DType::kF32, {2, 1, 1}, std::vector<float>{1, 1})
      .set("exact", DType::kF32, {1, 1}, std::vector<float>{-6})
      .set("zero", DType::kF32, {1, 1}, std::vector<float>{0})
      .set("mixed", DType::kF32, {2, 1, 1}, std::vector<float>{2, 1.1F});
  const std::string shape = R"("M":1,"N":1,"K":1)";
  trace.add(0, shape, "exact", "one");
  trace.add(1, shape, "mixed", "ones", R"("quantize":true,"batch":2)");
  trace.add(2, shape, "zero", "one");
  trace.write();
  replay(trace.folder(), trace.path().string(), {});
  const Report report(trace.folder().path() / "out");
  EXPECT_TRUE(report.gemm(0).at("snr_db").is_null());
  EXPECT_TRUE(report.gemm(2).at("snr_db").is_null());
  const double rounded = double{1.1F};
  const double expected =
      10 * std::log10((4 + rounded * rounded) / ((1 - rounded) * (1 - rounded)));
  EXPECT_EQ(std::round(report.gemm(1).at("snr_db").as_double() * 1e4), std::round(expected * 1e4));
}

TEST(Replay, ValuesThatAreNotFinite) {
  SmallTrace trace;
  const std::vector<float> values{1, INFINITY, 3, NAN, -2, 3e38F};
  trace.tensors()
      .set("a", DType::kF32, {2, 3}, values)
      .set("b", DType::kF32, {2, 3}, std::vector<float>{1, 1, 1, 3e38F, 3e38F, 3e38F});
  trace.add(0, R"("M":2,"N":2,"K":3)", "a", "b");
  trace.write();
  for (const char* const format : {"mxfp4", "hif4", "nvfp4"}) {
    SCOPED_TRACE(format);
    replay(trace.folder(), trace.path().string(), {"--format", format});
    const Report report(trace.folder().path() / "out");
    EXPECT_EQ(integer(report.gemm(0), "outputs"), 4);
    EXPECT_EQ(integer(report.gemm(0), "mismatches"), 0);
    EXPECT_TRUE(report.gemm(0).at("snr_db").is_null());
  }
}

TEST(Replay, LayerNamesOfAnyKindStayWhole) {
  SmallTrace trace;
  trace.tensors().set("x", DType::kF32, {1, 1}, std::vector<float>{1});
  trace.add(
      R"({"id":-5,"phase":"logprob","layer":"say \"a, b\"","gemm":"fprop","M":1,"N":1,"K":1,)"
      R"("a":["t.safetensors","x"],"ta":0,"b":["t.safetensors","x"],"tb":1,"quantize":true})");
  trace.write();
  replay(trace.folder(), trace.path().string(), {});
  const std::string layer = R"(say "a, b")";
  EXPECT_EQ(Report(trace.folder().path() / "out").gemm(-5).at("layer").as_string(), layer);
  const auto rows = read_csv(trace.folder().path() / "out" / "gemms.csv");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_THAT(std::vector<std::string>(rows[1].begin(), rows[1].begin() + 4),
              ElementsAre("-5", "logprob", "fprop", layer));
}

TEST(Replay, WithoutAnOutputFolderItPrintsOnly) {
  const TemporaryFolder folder;
  const ProgramRun run = run_program({"replay", kTinyGrpo, "--filter", kSlice});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, HasSubstr("layers.0.mlp.down_proj"));
}

TEST(Replay, OutputFoldersAreMadeAndReused) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "a" / "b").string();
  for (int time = 0; time < 2; ++time) {
    EXPECT_EQ(run_program({"replay", kTinyGrpo, "--filter", kSlice, "-o", out}).exit_code, 0);
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(out)) {
      names.push_back(entry.path().filename().string());
    }
    EXPECT_THAT(names, testing::UnorderedElementsAre("gemms.csv", "report.json"));
  }
}

}  // namespace
}  // namespace nibblecore
