// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace nibblecore {

/// The JSON file of a sweep; throws where it isn't JSON or lacks what is asked for.
class SweepReport {
 public:
  explicit SweepReport(const std::filesystem::path& path);

  const boost::json::array& rows() const { return root_.at("rows").as_array(); }
  const boost::json::array& skipped() const { return root_.at("skipped").as_array(); }
  const boost::json::object& row(size_t index) const { return rows().at(index).as_object(); }
  /// The one row of this correction and residual.
  const boost::json::object& row(const std::string& correction, const std::string& residual) const;

 private:
  boost::json::object root_;
};

/// A string or number member.
std::string text(const boost::json::object& object, const std::string& name);
double number(const boost::json::object& object, const std::string& name);

}  // namespace nibblecore
