// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "model/common/error.hpp"

namespace nibblecore {

/// A record of a name and what it stands for.
template <typename Value>
struct NamedValue {
  std::string_view name;
  Value value;
};

/// The record of a table whose `name` is `name`; InputError at `place`, listing the known names,
/// where there is none.
template <typename Records>
const auto& find_record(const Records& records, std::string_view name, const std::string& place) {
  const auto found = std::find_if(records.begin(), records.end(),
                                  [&](const auto& record) { return record.name == name; });
  if (found == records.end()) {
    std::string known;
    for (const auto& record : records) {
      known += (known.empty() ? "" : ", ") + std::string(record.name);
    }
    throw InputError(place, "unknown name '" + std::string(name) + "' (known: " + known + ")");
  }
  return *found;
}

}  // namespace nibblecore
