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
  write_json_list(out, list.size(), [&](size_t i) { return list[i]; });
}

void write_json_list(std::ostream& out, size_t count,
                     const std::function<boost::json::object(size_t)>& element) {
  out << "[";
  for (size_t i = 0; i < count; ++i) {
    out << (i == 0 ? "\n  " : ",\n  ") << boost::json::serialize(element(i));
  }
  out << "\n ]";
}

}  // namespace nibblecore::tb
