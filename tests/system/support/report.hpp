// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "tests/system/support/program.hpp"

namespace nibblecore {

/// `report.json` of a replay; throws where it isn't JSON or lacks what is asked for.
class Report {
 public:
  explicit Report(const std::filesystem::path& folder);

  const boost::json::object& root() const { return root_; }
  const boost::json::object& section(std::string_view name) const;
  const boost::json::object& totals() const { return section("totals"); }
  const boost::json::object& configuration() const { return section("configuration"); }
  const boost::json::array& gemms() const;
  /// The GEMM of this id.
  const boost::json::object& gemm(int64_t id) const;

 private:
  boost::json::object root_;
};

/// The report of `replay TRACE` with `options`, which is expected to end with exit code 0.
Report replay_report(const std::string& trace, const Arguments& options);

/// An integer member.
int64_t integer(const boost::json::object& object, std::string_view name);

/// The cells of `gemms.csv`, title row first. Quoted cells are unquoted.
std::vector<std::vector<std::string>> read_csv(const std::filesystem::path& path);

}  // namespace nibblecore
