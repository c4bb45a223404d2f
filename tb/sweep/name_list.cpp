// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/name_list.hpp"

#include <algorithm>

#include "model/common/error.hpp"

namespace nibblecore::tb {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  size_t end = 0;
  while ((end = text.find(separator)) != std::string_view::npos) {
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.emplace_back(text);
  return parts;
}

std::vector<std::string> name_list(std::string_view text, const std::string& place) {
  if (text.empty()) {
    return {};
  }
  std::vector<std::string> names = split(text, ',');
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (name->empty()) {
      throw InputError(place, "'" + std::string(text) + "' has an empty name");
    }
    if (std::find(names.begin(), name, *name) != name) {
      throw InputError(place, "names '" + *name + "' twice");
    }
  }
  return names;
}

}  // namespace nibblecore::tb
