// SPDX-License-Identifier: Apache-2.0
// What --resume goes on with, and what it refuses.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/support/expect_refused.hpp"
#include "tests/system/support/program.hpp"
#include "tests/system/support/small_trace.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;
using testing::Not;

class ReplayResumeErrors : public testing::Test {
 protected:
  ReplayResumeErrors() {
    std::vector<float> values;
    for (int i = 0; i < 16 * 64; ++i) {
      values.push_back(static_cast<float>(i % 13) * 0.3F - 1.7F);
    }
    trace.tensors()
        .set("x", DType::kF32, {16, 64}, values)
        .set("w", DType::kF32, {16, 64}, std::vector<float>(values.rbegin(), values.rend()));
    for (int id = 0; id < 3; ++id) {
      trace.add(id, R"("M":16,"N":16,"K":64)", "x", "w");
    }
    trace.write();
  }

  Arguments arguments(const Arguments& more) const {
    Arguments all{"replay", trace.path().string(), "-o", out.string()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  /// Leaves the journal of a replay that could not write its report.
  void stop_replay() const {
    std::filesystem::create_directories(out / "report.json");
    ASSERT_EQ(run_program(arguments({"--resume"})).exit_code, 2);
    std::filesystem::remove(out / "report.json");
    ASSERT_TRUE(std::filesystem::exists(journal));
  }

  /// Refused with exit code 2, naming the journal, which stays as it is.
  void expect_kept(const Arguments& more, const std::vector<std::string>& fragments) const {
    const std::string before = read_bytes(journal);
    const ProgramRun run = run_program(arguments(more));
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr(journal.string() + ": "));
    for (const std::string& fragment : fragments) {
      EXPECT_THAT(run.err, HasSubstr(fragment));
    }
    EXPECT_EQ(read_bytes(journal), before);
  }

  SmallTrace trace;
  TemporaryFolder folder;
  std::filesystem::path out = folder.path() / "out";
  std::filesystem::path journal = out / "replay.journal";
};

TEST_F(ReplayResumeErrors, LeavesNothingBesideTheReport) {
  const ProgramRun run = run_program(arguments({"--resume"}));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, Not(HasSubstr("journal")));
  EXPECT_FALSE(std::filesystem::remove(journal));
  EXPECT_TRUE(std::filesystem::remove(out / "report.json"));
  EXPECT_TRUE(std::filesystem::remove(out / "gemms.csv"));
  EXPECT_TRUE(std::filesystem::is_empty(out));
}

TEST_F(ReplayResumeErrors, GoesOnWhereTheDiskWasFull) {
  stop_replay();
  const auto blocks = static_cast<int>(std::filesystem::file_size(journal) / 512);
  std::filesystem::remove(journal);
  const ProgramRun stopped = run_program_through(on_full_disk(blocks), arguments({"--resume"}));
  EXPECT_EQ(stopped.exit_code, 2);
  EXPECT_THAT(stopped.err, HasSubstr(journal.string() + ": cannot write all of it: "));
  const ProgramRun resumed = run_program(arguments({"--resume"}));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("2 of these GEMMs were taken from the journal"));
  const std::string report = read_bytes(out / "report.json");
  ASSERT_EQ(run_program(arguments({})).exit_code, 0);
  EXPECT_EQ(read_bytes(out / "report.json"), report);
}

TEST_F(ReplayResumeErrors, AnotherReplaysJournalIsRefused) {
  stop_replay();
  expect_kept({"--resume", "--seed", "2"}, {R"("configuration.seed" was 1 and is 2)"});
  expect_kept({"--resume", "--format", "hif4"}, {R"("configuration.format" was "mxfp4")"});
  expect_kept({"--resume", "--layer-measures"}, {R"("layer_measures" was false and is true)"});
  expect_kept({"--resume", "--filter", "phase=train"}, {R"("configuration.filter" was "")"});
}

TEST_F(ReplayResumeErrors, AnotherTraceIsRefused) {
  stop_replay();
  trace.write();
  expect_kept({"--resume"}, {R"("trace.t.safetensors.modified" was )"});
  trace.add(3, R"("M":16,"N":16,"K":64)", "x", "w");
  trace.write();
  expect_kept({"--resume"}, {R"("trace.gemms.jsonl" was )"});
}

TEST_F(ReplayResumeErrors, WithoutResumeAJournalIsRefused) {
  stop_replay();
  expect_kept({}, {"go on with --resume"});
}

TEST_F(ReplayResumeErrors, WhatIsNoJournalIsRefused) {
  std::filesystem::create_directory(out);
  folder.write("out/replay.journal", "my notes");
  expect_kept({"--resume"}, {"begins with something else than 'nibblecore replay journal 1'"});
}

TEST_F(ReplayResumeErrors, OneProcessAtATime) {
  stop_replay();
  // The shell holds the lock; the program inherits no descriptor of it but asks for its own.
  const ProgramRun run = run_program_through(
      "exec 9<" + journal.string() + R"(; flock -x 9; "$@" 9<&-)", arguments({"--resume"}));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr(journal.string() + ": another process is at work with it"));
}

TEST_F(ReplayResumeErrors, WhatCannotBeResumedIsRefused) {
  expect_refused(folder, {"replay", trace.path().string(), "--resume"}, {"--resume", "-o"});
  expect_refused(folder, arguments({"--resume", "--vcd", (folder.path() / "x.vcd").string()}),
                 {"--resume", "--vcd"});
  expect_refused(folder, arguments({"--resume", "--timeline", (folder.path() / "x").string()}),
                 {"--resume", "--timeline"});
}

TEST_F(ReplayResumeErrors, ARefusedReplayLeavesNoJournal) {
  const ProgramRun run = run_program(arguments({"--resume", "--filter", "phase=rollout"}));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace nibblecore
