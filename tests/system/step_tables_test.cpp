// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/support/program.hpp"
#include "tests/system/support/report.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;

using Cells = std::vector<std::string>;

/// The cells of a line of a markdown table, without the spaces around them.
Cells cells_of(const std::string& line) {
  Cells cells;
  std::istringstream stream(line.substr(1));
  for (std::string cell; std::getline(stream, cell, '|');) {
    const size_t first = cell.find_first_not_of(' ');
    const size_t last = cell.find_last_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

/// The tables of a markdown text: rows of cells, the rule below the titles left out.
std::vector<std::vector<Cells>> tables_of(const std::string& text) {
  std::vector<std::vector<Cells>> tables;
  bool is_inside = false;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const bool is_row = !line.empty() && line.front() == '|';
    if (is_row && !is_inside) {
      tables.emplace_back();
    }
    is_inside = is_row;
    if (is_row && line.rfind("|--", 0) != 0) {
      tables.back().push_back(cells_of(line));
    }
  }
  return tables;
}

/// A number as the script prints joules, and seconds below 1000.
std::string four_digits(double value) {
  std::ostringstream text;
  text.precision(4);
  text << value;
  return text.str();
}

class StepTables : public testing::Test {
 protected:
  ProgramRun run_script(const std::string& options) const {
    return run_program_through("exec " NIBBLECORE_SOURCE_DIR
                               "/scripts/step-tables --build \"$(dirname \"$1\")\" --work " +
                                   folder.path().string() + " " + options,
                               {});
  }

  TemporaryFolder folder;
};

TEST_F(StepTables, RowsHoldWhatReplaysReport) {
  const ProgramRun run = run_script(
      "--model qwen2.5-3b=gsm8k --machine ascend950pr --energy jouppi7nm "
      "--accuracy-trace " NIBBLECORE_TEST_DATA
      "/tiny_grpo --accuracy-filter layer=layers.0.self_attn.k_proj");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto tables = tables_of(run.out);
  ASSERT_EQ(tables.size(), 2U);
  for (const std::vector<Cells>& table : tables) {
    for (const Cells& row : table) {
      EXPECT_EQ(row.size(), table.front().size()) << row.front();
    }
  }
  // Titles, BF16 twice, a roofline and seven treatments of each format.
  const std::vector<Cells>& steps = tables[0];
  ASSERT_EQ(steps.size(), 1U + 2 + 2 * 8);
  EXPECT_EQ(tables[1].size(), 1U + 2 * 5);

  const Report report =
      replay_report((folder.path() / "steps" / "qwen2.5-3b").string(),
                    {"--fidelity", "timing", "--machine", "ascend950pr", "--format", "hif4",
                     "--residual", "2:4", "--energy", "jouppi7nm"});
  const boost::json::object& step = report.section("step");
  const auto row = std::find_if(steps.begin(), steps.end(), [](const Cells& cells) {
    return cells[2] == "hif4" && cells[3] == "2:4 serial";
  });
  ASSERT_NE(row, steps.end());
  const auto cell = [&](const std::string& title) {
    const auto place = std::find(steps.front().begin(), steps.front().end(), title);
    return row->at(static_cast<size_t>(place - steps.front().begin()));
  };
  EXPECT_EQ(cell("step s"), four_digits(step.at("seconds").to_number<double>()));
  EXPECT_EQ(cell("J"), four_digits(step.at("energy").at("joules").to_number<double>()));
  // The group with the longest name that a phase begins with; logprob.reference is of logprob.
  const std::vector<std::string> groups{"train.recompute", "train", "logprob", "rollout.decode",
                                        "rollout.prefill"};
  std::map<std::string, double> sums;
  for (const boost::json::value& phase : step.at("phases").as_array()) {
    const std::string name(phase.at("phase").as_string());
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const std::string& start) {
      return name.rfind(start, 0) == 0;
    });
    ASSERT_NE(group, groups.end()) << name;
    sums[*group] += phase.at("seconds").to_number<double>();
  }
  for (const std::string& group : groups) {
    EXPECT_EQ(cell(group + " s"), four_digits(sums[group])) << group;
  }
}

TEST_F(StepTables, PassesOnWhatTheProgramRefuses) {
  const ProgramRun run = run_script("--model unheard=gsm8k");
  EXPECT_NE(run.exit_code, 0);
  EXPECT_THAT(run.err, HasSubstr("nibblecore workload --model unheard"));
  EXPECT_THAT(run.err, HasSubstr("unheard"));
}

}  // namespace
}  // namespace nibblecore
