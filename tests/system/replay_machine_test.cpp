// SPDX-License-Identifier: Apache-2.0
// Replays on other machines, with other operands online, other orders, and by samples.
#include <string>

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/support/expect_refused.hpp"
#include "tests/system/support/program.hpp"
#include "tests/system/support/report.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

constexpr const char* kTinyGrpo = NIBBLECORE_TEST_DATA "/tiny_grpo";
constexpr const char* kSlice = R"(phase=rollout.decode,layer=layers\.1\.mlp)";

class ReplayMachine : public testing::Test {
 protected:
  static Report replay(Arguments options) {
    options.insert(options.end(), {"--filter", kSlice});
    return replay_report(kTinyGrpo, options);
  }

  TemporaryFolder folder;
};

TEST_F(ReplayMachine, EveryBuiltInMachineHasTheGoldenBitsAndTheModelsCycles) {
  for (const char* const machine : {"core16x16x64", "ascend950pr", "b200", "edge"}) {
    for (const char* const residual : {"none", "2:4", "block-32x64-50"}) {
      SCOPED_TRACE(std::string(machine) + " " + residual);
      // The parallel build: granules of 128 of the dense patterns don't fit the edge's L0A.
      const Arguments options{"--machine",        machine,   "--residual", residual,
                              "--residual-build", "parallel"};
      Arguments timing = options;
      timing.insert(timing.end(), {"--fidelity", "timing"});
      const Report cycle = replay(options);
      EXPECT_EQ(integer(cycle.totals(), "mismatches"), 0);
      EXPECT_EQ(cycle.totals().at("cycles"), replay(timing).totals().at("cycles"));
      const json::object& described =
          cycle.section("configuration").at("machine").as_object().at("fields").as_object();
      EXPECT_FALSE(described.at("cores").at("source").as_string().empty());
    }
  }
}

TEST_F(ReplayMachine, MoreCoresTakeFewerCycles) {
  const auto cycles = [&](const char* machine) {
    return integer(replay({"--machine", machine, "--fidelity", "timing"}).totals(), "cycles");
  };
  EXPECT_GT(cycles("edge"), cycles("core16x16x64"));
}

TEST_F(ReplayMachine, BitsDoNotDependOnWhatIsOnlineOrOnTheOrder) {
  const Report base = replay({"--online", "none"});
  EXPECT_EQ(integer(base.totals(), "quantized_blocks"), 0);
  for (const Arguments& options :
       {Arguments{"--online", "a"}, Arguments{"--online", "b"}, Arguments{"--online", "both"},
        Arguments{"--loop-order", "columns"}, Arguments{"--loop-order", "rows"},
        Arguments{"--step-order", "steps"}}) {
    const Report report = replay(options);
    EXPECT_EQ(integer(report.totals(), "mismatches"), 0);
    EXPECT_EQ(report.totals().at("snr_db"), base.totals().at("snr_db"));
  }
  // BF16 values of the trace: 16 bits where MXFP4 has 4.25.
  EXPECT_GT(integer(replay({"--online", "both"}).totals(), "loaded_bytes"),
            3 * integer(base.totals(), "loaded_bytes"));
}

TEST_F(ReplayMachine, StepsInnerTakesLonger) {
  const auto cycles = [&](const char* order) {
    return integer(replay({"--step-order", order, "--fidelity", "timing"}).totals(), "cycles");
  };
  EXPECT_GT(cycles("steps"), cycles("tiles"));
}

TEST_F(ReplayMachine, Bf16ResultsTakeHalfTheBytes) {
  const Report wide = replay({});
  const Report narrow = replay({"--store", "bf16"});
  EXPECT_EQ(integer(narrow.totals(), "mismatches"), 0);
  EXPECT_EQ(2 * integer(narrow.totals(), "stored_bytes"), integer(wide.totals(), "stored_bytes"));
}

TEST_F(ReplayMachine, ASampleIsComparedAndTheSeedPicksIt) {
  const Report cycle = replay({"--residual", "2:4"});
  const Report sampled =
      replay({"--residual", "2:4", "--fidelity", "sampled", "--samples", "3", "--seed", "7"});
  // Nine GEMMs, three tiles of 256 outputs each.
  EXPECT_EQ(integer(sampled.totals(), "compared"), 9 * 3 * 256);
  EXPECT_EQ(integer(sampled.totals(), "mismatches"), 0);
  EXPECT_EQ(integer(sampled.totals(), "emulator_mismatches"), 0);
  for (const char* const field : {"outputs", "cycles", "steps", "snr_db", "units"}) {
    EXPECT_EQ(sampled.totals().at(field), cycle.totals().at(field)) << field;
  }
}

TEST_F(ReplayMachine, AFileDescribesAMachine) {
  const std::string built_in =
      read_bytes(NIBBLECORE_SOURCE_DIR "/model/machine/machines/edge.json");
  folder.write("mine.json", built_in);
  const std::string file = (folder.path() / "mine.json").string();
  EXPECT_EQ(replay({"--machine", file, "--fidelity", "timing"}).totals().at("cycles"),
            replay({"--machine", "edge", "--fidelity", "timing"}).totals().at("cycles"));

  const size_t at = built_in.find("\"l1_bytes\"");
  ASSERT_NE(at, std::string::npos);
  std::string unknown = built_in;
  unknown.replace(at, 10, "\"l9_bytes\"");
  folder.write("mine.json", unknown);
  expect_refused(folder, {"replay", kTinyGrpo, "--machine", file}, {"mine.json", "l9_bytes"});
}

TEST_F(ReplayMachine, ATimelineIsWritten) {
  const std::string path = (folder.path() / "timeline.json").string();
  replay({"--residual", "2:4", "--timeline", path});
  const json::value timeline = json::parse(read_bytes(path));
  const json::array& events =
      timeline.is_array() ? timeline.as_array() : timeline.at("traceEvents").as_array();
  EXPECT_GT(events.size(), 20U);
}

}  // namespace
}  // namespace nibblecore
