// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/report_text.hpp"

#include <cmath>

#include <boost/json/serialize.hpp>

namespace nibblecore::tb {

double rounded(double value) {
  const double result = std::round(value * 1e6) / 1e6;
  return result == 0 ? 0.0 : result;
}

boost::json::value rounded(const std::optional<double>& value) {
  return value ? boost::json::value(rounded(*value)) : boost::json::value(nullptr);
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char character : text) {
    quoted += character == '"' ? "\"\"" : std::string(1, character);
  }
  return quoted + "\"";
}

void write_json_list(std::ostream& out, const std::vector<boost::json::object>& list) {
  out << "[";
  for (size_t i = 0; i < list.size(); ++i) {
    out << (i == 0 ? "\n  " : ",\n  ") << boost::json::serialize(list[i]);
  }
  out << "\n ]";
}

}  // namespace nibblecore::tb
