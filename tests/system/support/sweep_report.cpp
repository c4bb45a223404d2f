// SPDX-License-Identifier: Apache-2.0
#include "tests/system/support/sweep_report.hpp"

#include <stdexcept>

#include <boost/json.hpp>

#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

bool is(const boost::json::object& row, const char* name, const std::string& value) {
  return row.at(name).is_string() && text(row, name) == value;
}

}  // namespace

SweepReport::SweepReport(const std::filesystem::path& path)
    : root_(boost::json::parse(read_bytes(path)).as_object()) {}

const boost::json::object& SweepReport::row(const std::string& correction,
                                            const std::string& residual) const {
  const boost::json::object* found = nullptr;
  for (const boost::json::value& each : rows()) {
    const boost::json::object& candidate = each.as_object();
    if (is(candidate, "correction", correction) && is(candidate, "residual", residual)) {
      if (found != nullptr) {
        throw std::runtime_error("two rows of " + correction + " and " + residual);
      }
      found = &candidate;
    }
  }
  if (found == nullptr) {
    throw std::runtime_error("no row of " + correction + " and " + residual);
  }
  return *found;
}

std::string text(const boost::json::object& object, const std::string& name) {
  return std::string(object.at(name).as_string());
}

double number(const boost::json::object& object, const std::string& name) {
  return object.at(name).to_number<double>();
}

}  // namespace nibblecore
