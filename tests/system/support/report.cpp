// SPDX-License-Identifier: Apache-2.0
#include "tests/system/support/report.hpp"

#include <stdexcept>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {

namespace json = boost::json;

Report::Report(const std::filesystem::path& folder)
    : root_(json::parse(read_bytes(folder / "report.json")).as_object()) {}

const json::object& Report::section(std::string_view name) const {
  return root_.at(name).as_object();
}

const json::array& Report::gemms() const { return root_.at("gemms").as_array(); }

const json::object& Report::gemm(int64_t id) const {
  for (const json::value& gemm : gemms()) {
    if (integer(gemm.as_object(), "id") == id) {
      return gemm.as_object();
    }
  }
  throw std::out_of_range("the report has no GEMM " + std::to_string(id));
}

Report replay_report(const std::string& trace, const Arguments& options) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  Arguments arguments{"replay", trace, "-o", out};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const ProgramRun run = run_program(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.err << run.out;
  return Report(out);
}

int64_t integer(const json::object& object, std::string_view name) {
  return object.at(name).as_int64();
}

std::vector<std::vector<std::string>> read_csv(const std::filesystem::path& path) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row(1);
  bool quoted = false;
  const std::string text = read_bytes(path);
  for (size_t i = 0; i < text.size(); ++i) {
    const char character = text[i];
    if (character == '"' && quoted && text[i + 1] == '"') {
      row.back() += text[++i];
    } else if (character == '"') {
      quoted = !quoted;
    } else if (character == ',' && !quoted) {
      row.emplace_back();
    } else if (character == '\n' && !quoted) {
      rows.push_back(row);
      row.assign(1, "");
    } else {
      row.back() += character;
    }
  }
  if (row != std::vector<std::string>(1)) {
    throw std::runtime_error(path.string() + " does not end with a line's end");
  }
  return rows;
}

}  // namespace nibblecore
