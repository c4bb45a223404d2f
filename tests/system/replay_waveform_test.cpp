// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/support/program.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::SizeIs;

constexpr const char* kTinyGrpo = NIBBLECORE_TEST_DATA "/tiny_grpo";

/// A value change dump (IEEE 1364, section 18).
struct Waveform {
  std::string timescale;
  /// Values that each signal took, in order; signals by their full names.
  std::map<std::string, std::vector<std::string>> values;
  std::vector<int64_t> times;
};

/// The text up to the next `$end`.
std::string to_end(std::istream& stream) {
  std::string text;
  for (std::string word; stream >> word && word != "$end";) {
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

std::map<std::string, std::string> read_header(std::istream& stream, Waveform& waveform) {
  std::map<std::string, std::string> names;
  std::vector<std::string> scopes;
  for (std::string word; stream >> word;) {
    const std::string text = to_end(stream);
    std::istringstream fields(text);
    if (word == "$enddefinitions") {
      return names;
    }
    if (word == "$timescale") {
      waveform.timescale = text;
    } else if (word == "$scope") {
      scopes.push_back(text.substr(text.find(' ') + 1));
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$var") {
      std::string type;
      std::string width;
      std::string code;
      std::string name;
      fields >> type >> width >> code >> name;
      std::string path;
      for (const std::string& scope : scopes) {
        path += scope + ".";
      }
      EXPECT_TRUE(names.emplace(code, path + name).second) << code << " is used twice";
      waveform.values[path + name];
    }
  }
  ADD_FAILURE() << "no $enddefinitions";
  return names;
}

Waveform read_waveform(const std::filesystem::path& path) {
  std::istringstream stream(read_bytes(path));
  Waveform waveform;
  std::map<std::string, std::string> names = read_header(stream, waveform);
  for (std::string word; stream >> word;) {
    if (word == "$comment") {
      to_end(stream);
    } else if (word[0] == '#') {
      waveform.times.push_back(std::stoll(word.substr(1)));
    } else if (word[0] == 'b') {
      std::string code;
      stream >> code;
      waveform.values.at(names.at(code)).push_back(word.substr(1));
    } else if (word[0] != '$') {
      waveform.values.at(names.at(word.substr(1))).push_back(word.substr(0, 1));
    }
  }
  return waveform;
}

class ReplayWaveform : public testing::Test {
 protected:
  ProgramRun replay(const std::string& filter) const {
    return run_program({"replay", kTinyGrpo, "--filter", filter, "--vcd", path.string()});
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "w.vcd";
};

TEST_F(ReplayWaveform, ClockRegistersAndOccupancy) {
  // 32 x 128 x 128: 32 steps.
  const ProgramRun run = replay(R"(phase=rollout.decode0,layer=layers\.0\.self_attn\.q_proj)");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(folder.entries(), ElementsAre("w.vcd"));
  const Waveform waveform = read_waveform(path);
  EXPECT_NE(waveform.timescale, "");

  const std::string core = "SystemC.bench.core.";
  ASSERT_THAT(waveform.values, Contains(Key(core + "clock")));
  int rises = 0;
  int falls = 0;
  for (const std::string& value : waveform.values.at(core + "clock")) {
    (value == "1" ? rises : falls) += 1;
  }
  EXPECT_GE(rises, 36);
  EXPECT_GE(falls, 36);
  EXPECT_LE(rises - falls, 1);
  for (size_t i = 1; i < waveform.times.size(); ++i) {
    ASSERT_LT(waveform.times[i - 1], waveform.times[i]);
  }

  ASSERT_THAT(waveform.values, Contains(Key(core + "accumulator.lane0")));
  EXPECT_THAT(waveform.values.at(core + "accumulator.lane0"), SizeIs(Ge(32U)));
  for (const char* const name : {"a_codes", "b_codes", "a_scales", "b_scales", "sums", "products",
                                 "a_steps", "b_steps", "a_unquantized", "a_quantized"}) {
    const std::string occupancy = core + name + ".occupancy";
    ASSERT_THAT(waveform.values, Contains(Key(occupancy)));
    EXPECT_THAT(waveform.values.at(occupancy), SizeIs(Ge(3U))) << occupancy;
  }
  // 32 x 128 FP32 results.
  EXPECT_EQ(std::stoi(waveform.values.at(core + "port.stored_bytes").back(), nullptr, 2), 16384);
}

TEST_F(ReplayWaveform, TheTableStaysReadable) {
  const std::string filter = R"(phase=rollout.decode0,layer=layers\.0\.self_attn\.q_proj)";
  const ProgramRun without = run_program({"replay", kTinyGrpo, "--filter", filter});
  const ProgramRun run = replay(filter);
  EXPECT_EQ(run.out, without.out);
  EXPECT_THAT(run.err, AllOf(Not(HasSubstr("Warning")), Not(HasSubstr("Info"))));
}

TEST_F(ReplayWaveform, ReplacesAnOlderOneAndFollowsTheRun) {
  folder.write("w.vcd", "older");
  ASSERT_EQ(replay(R"(phase=rollout.decode0,layer=layers\.0\.mlp)").exit_code, 0);
  const Waveform waveform = read_waveform(path);
  // Three GEMMs one after the other in one recording: results of 32 x 384, 32 x 384, 32 x 128.
  int64_t largest = 0;
  int stores = 0;
  for (const std::string& value : waveform.values.at("SystemC.bench.core.port.stored_bytes")) {
    const int64_t bytes = std::stoi(value, nullptr, 2);
    stores += bytes != 0 ? 1 : 0;
    largest = std::max(largest, bytes);
  }
  EXPECT_GE(stores, 3);
  EXPECT_EQ(largest, 32 * 384 * 4);
}

TEST_F(ReplayWaveform, NothingSimulatedIsStillAWaveform) {
  const ProgramRun run = replay("phase=rollout.decode0,layer=lm_head");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, Not(HasSubstr("Warning")));
  EXPECT_NE(read_waveform(path).timescale, "");
}

}  // namespace
}  // namespace nibblecore
