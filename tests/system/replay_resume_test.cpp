// SPDX-License-Identifier: Apache-2.0
// Replays that are killed at random moments and go on with --resume.
#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/support/program.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr int kKilled = 128 + 9;  // as the shell's command reports the signal
constexpr const char* kTinyGrpo = NIBBLECORE_TEST_DATA "/tiny_grpo";

/// Which options a replay is killed under: what a report can hold of values is in one of them.
struct ResumedReplay {
  const char* name;
  Arguments options;
};

const std::array<ResumedReplay, 4>& replays() {
  static const std::array<ResumedReplay, 4> all{
      {{"cycle", {"--filter", "phase=rollout"}},
       {"sampled",
        // One tile of each GEMM, of which some have the 8 rows that 56 leave: which one shows.
        {"--fidelity", "sampled", "--samples", "1", "--residual", "2:4", "--filter",
         "phase=rollout.prefill"}},
       {"numeric",
        {"--fidelity", "numeric", "--layer-measures", "--quantize-all", "--rounding", "stochastic",
         "--filter", R"(layer=layers\.0|lm_head)"}},
       {"fault",
        {"--fault", "a.code:0:3:stuck_at_1", "--filter", R"(phase=rollout,layer=layers\.[02])"}}}};
  return all;
}

class ReplayResume : public testing::TestWithParam<size_t> {
 protected:
  ProgramRun run(const std::string& shell, const std::string& out, int threads,
                 const Arguments& more) const {
    Arguments arguments{"replay",    kTinyGrpo,
                        "-o",        (folder.path() / out).string(),
                        "--threads", std::to_string(threads)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_program_through(shell, arguments);
  }

  ProgramRun run(const std::string& out, int threads, const Arguments& more = {}) const {
    return run(R"(exec "$@")", out, threads, more);
  }

  /// Lets the program run that long, and kills it where it is not done by then.
  ProgramRun run_killed(Seconds after, const std::string& out, int threads) const {
    return run("exec timeout --foreground -s KILL " + std::to_string(after.count()) + R"( "$@")",
               out, threads, {"--resume"});
  }

  std::string file(const std::string& out, const char* name) const {
    return read_bytes(folder.path() / out / name);
  }

  /// GEMMs that a run says it took from the journal.
  static int64_t taken(const ProgramRun& run) {
    const size_t end = run.out.find(" of these GEMMs were taken from the journal");
    if (end == std::string::npos) {
      return 0;
    }
    const size_t begin = run.out.rfind('\n', end) + 1;
    return std::stoll(run.out.substr(begin, end - begin));
  }

  TemporaryFolder folder;
  Arguments options = replays().at(GetParam()).options;
};

// Five rounds of each kind of replay, twenty in all: killed at a random moment, in every second
// round once more while it resumes, then resumed until it is done.
TEST_P(ReplayResume, KilledAtAnyMomentTheReportIsThatOfAnUninterruptedReplay) {
  auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(run("whole", 1).exit_code, 0);
  Seconds whole = std::chrono::steady_clock::now() - begin;
  const std::string report = file("whole", "report.json");
  const std::string csv = file("whole", "gemms.csv");

  std::mt19937_64 random(2024 + GetParam());
  std::uniform_real_distribution<double> share(0.05, 1.0);
  int64_t all_taken = 0;
  int killed = 0;
  // More rounds where the machine was so busy that all moments came too early or too late.
  for (int round = 0; round < 5 || (all_taken == 0 && round < 30); ++round) {
    const std::string out = "out" + std::to_string(round);
    std::string moments;
    for (int kill = 0; kill < 1 + round % 2; ++kill) {
      const Seconds after = whole * share(random);
      moments += " " + std::to_string(after.count());
      begin = std::chrono::steady_clock::now();
      const ProgramRun stopped = run_killed(after, out, 1 + kill);
      if (stopped.exit_code == 0) {
        // What the first run of a round took is a whole replay.
        const Seconds took = std::chrono::steady_clock::now() - begin;
        whole = kill == 0 ? std::min(whole, took) : whole;
      } else {
        ASSERT_EQ(stopped.exit_code, kKilled) << stopped.err;
        ++killed;
      }
    }
    SCOPED_TRACE("seed " + std::to_string(2024 + GetParam()) + ", killed after" + moments + " s");
    const ProgramRun last = run(out, 1 + round % 3, {"--resume"});
    ASSERT_EQ(last.exit_code, 0) << last.err;
    ASSERT_EQ(last.err, "");
    all_taken += taken(last);
    ASSERT_EQ(file(out, "report.json"), report);
    ASSERT_EQ(file(out, "gemms.csv"), csv);
    ASSERT_FALSE(std::filesystem::exists(folder.path() / out / "replay.journal"));
    std::cout << "killed after" << moments << " s of " << whole.count() << ": " << taken(last)
              << " GEMMs from the journal\n";
  }
  EXPECT_GT(killed, 0);
  EXPECT_GT(all_taken, 0);
}

INSTANTIATE_TEST_SUITE_P(Replays, ReplayResume, testing::Range<size_t>(0, replays().size()),
                         [](const auto& tested) { return replays().at(tested.param).name; });

}  // namespace
}  // namespace nibblecore
