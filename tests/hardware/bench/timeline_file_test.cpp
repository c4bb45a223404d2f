// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/timeline_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/machine/tiler.hpp"
#include "tests/hardware/simulation_test.hpp"
#include "tests/hardware/support/checked_run.hpp"
#include "tests/hardware/support/random_gemm.hpp"
#include "tests/hardware/support/small_machine.hpp"

namespace nibblecore::tb {
namespace {

using hw::Track;

struct Span {
  std::string name;
  int64_t begin;
  int64_t end;

  friend bool operator==(const Span& a, const Span& b) {
    return a.name == b.name && a.begin == b.begin && a.end == b.end;
  }
};

/// The spans of a file by their tracks' names.
using Tracks = std::map<std::string, std::vector<Span>>;

int64_t length(const std::vector<Span>& spans, std::string_view name = {}) {
  int64_t sum = 0;
  for (const Span& span : spans) {
    sum += name.empty() || span.name == name ? span.end - span.begin : 0;
  }
  return sum;
}

bool overlap(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.begin < b.begin; });
  const auto found = std::adjacent_find(
      spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.end > b.begin; });
  return found != spans.end();
}

class TimelineFileTest : public test::SimulationTest {
 protected:
  void TearDown() override { std::filesystem::remove(path); }

  boost::json::object parsed() const {
    std::ifstream file(path);
    std::stringstream content;
    content << file.rdbuf();
    return boost::json::parse(content.str()).as_object();
  }

  Tracks read() const {
    Tracks tracks;
    std::map<int64_t, std::string> names;
    const boost::json::object file = parsed();
    for (const boost::json::value& value : file.at("traceEvents").as_array()) {
      const boost::json::object& event = value.as_object();
      EXPECT_EQ(event.at("pid").as_int64(), 1);
      if (event.at("name") == "thread_name") {
        EXPECT_EQ(event.at("ph").as_string(), "M");
        names[event.at("tid").as_int64()] = event.at("args").at("name").as_string().c_str();
      } else if (event.at("ph") == "X") {
        const int64_t begin = event.at("ts").as_int64();
        tracks[names.at(event.at("tid").as_int64())].push_back(
            {event.at("name").as_string().c_str(), begin, begin + event.at("dur").as_int64()});
      }
    }
    EXPECT_EQ(names.size(), 9U);
    return tracks;
  }

  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "nibblecore_timeline_file_test.json";
};

TEST_F(TimelineFileTest, AdjacentSpansOfOneTrackAndNameBecomeOne) {
  TimelineFile file(path);
  file.span(Track::kDenseSteps, "step", 0, 1);
  file.span(Track::kResidualSteps, "step", 1, 2);
  file.span(Track::kDenseSteps, "step", 1, 2);
  file.span(Track::kDenseSteps, "step", 2, 5);
  file.span(Track::kDenseSteps, "step", 6, 7);
  file.span(Track::kDenseSteps, "other", 7, 8);
  file.span(Track::kDenseSteps, "other", 8, 8);
  file.close();
  Tracks tracks = read();
  EXPECT_EQ(tracks.size(), 2U);
  EXPECT_EQ(tracks["array: dense steps"],
            (std::vector<Span>{{"step", 0, 5}, {"step", 6, 7}, {"other", 7, 8}}));
  EXPECT_EQ(tracks["array: residual steps"], (std::vector<Span>{{"step", 1, 2}}));
}

TEST_F(TimelineFileTest, NamesAreEscapedAndTheUnitIsSaid) {
  TimelineFile file(path);
  file.span(Track::kStore, "a \"quoted\"\nname \\", 3, 4);
  file.close();
  EXPECT_EQ(read()["memory port: stores"], (std::vector<Span>{{"a \"quoted\"\nname \\", 3, 4}}));
  EXPECT_EQ(parsed().at("otherData").at("time_unit").as_string(),
            "1 us stands for 1 cycle of the core");
}

TEST_F(TimelineFileTest, TheFileAppearsWholeOrNotAtAll) {
  {
    TimelineFile file(path);
    file.span(Track::kStore, "store", 3, 4);
    EXPECT_FALSE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_THROW(TimelineFile(path / "missing" / "file.json"), InputError);
}

TEST_F(TimelineFileTest, ACoresSpansAddUpToItsReport) {
  std::mt19937 random(61);
  CoreBench bench("bench", test::small_machine());
  for (const ResidualBuild build : {ResidualBuild::kSerial, ResidualBuild::kParallel}) {
    GemmSpec spec{60, 50, 300, kNvfp4};
    spec.a = OperandPath::kOnlineBf16;
    spec.residual = ResidualPattern::kTwoOfFour;
    spec.residual_build = build;
    spec.start = Start::kFromMemory;
    const Program program = choose_program(bench.machine(), spec);
    test::RandomGemm gemm(spec, preset(kNvfp4, ""), random);
    TimelineFile file(path);
    const CycleReport report = test::run_checked(bench, program, gemm, &file);
    file.close();
    Tracks tracks = read();

    for (const auto& [name, spans] : tracks) {
      EXPECT_FALSE(overlap(spans)) << name;
      for (const Span& span : spans) {
        EXPECT_LT(span.begin, span.end);
        EXPECT_GE(span.begin, 0);
        EXPECT_LE(span.end, report.total);
      }
    }
    const auto steps = [&](StepKind kind) { return report.steps.at(static_cast<size_t>(kind)); };
    EXPECT_EQ(length(tracks["array: dense steps"]),
              steps(StepKind::kDense) + steps(StepKind::kDenseAndSparse));
    EXPECT_EQ(length(tracks["array: residual steps"]),
              report.all_steps() - steps(StepKind::kDense));
    EXPECT_GT(length(tracks["array: residual steps"]), 0);
    for (int cause = 0; cause < kStallCauses; ++cause) {
      EXPECT_EQ(length(tracks["array: stalls"], name_of(static_cast<StallCause>(cause))),
                report[Unit::kArray].stalls.at(static_cast<size_t>(cause)))
          << name_of(static_cast<StallCause>(cause));
    }
    EXPECT_EQ(length(tracks["array: stalls"]), report[Unit::kArray].stalled());

    std::vector<Span> port = tracks["memory port: loads"];
    const std::vector<Span>& stores = tracks["memory port: stores"];
    EXPECT_GT(length(stores), 0);
    EXPECT_EQ(length(port), report[Unit::kMemoryPort].busy - length(stores));
    EXPECT_GT(length(port, "load start values"), 0);
    port.insert(port.end(), stores.begin(), stores.end());
    EXPECT_FALSE(overlap(port)) << "one transfer at a time";

    EXPECT_EQ(length(tracks["move A (L1 to L0A)"]), report[Unit::kMoveA].busy);
    EXPECT_EQ(length(tracks["move B (L1 to L0B)"]), report[Unit::kMoveB].busy);
    EXPECT_EQ(length(tracks["quantizer A"], "quantize, residual"), report[Unit::kMoveA].busy);
    EXPECT_EQ(tracks.count("quantizer B"), 0U) << "B is packed";
  }
}

}  // namespace
}  // namespace nibblecore::tb
