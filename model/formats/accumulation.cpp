// SPDX-License-Identifier: Apache-2.0
#include "model/formats/accumulation.hpp"

#include <string>

#include "model/common/error.hpp"

namespace nibblecore {

Accumulation accumulation(std::string_view name) {
  std::string known;
  for (const AccumulationRecord& record : kAccumulations) {
    if (record.name == name) {
      return record.accumulation;
    }
    known += (known.empty() ? "" : ", ") + std::string(record.name);
  }
  throw InputError("--accumulate",
                   "unknown policy '" + std::string(name) + "' (known: " + known + ")");
}

std::string_view name_of(Accumulation accumulation) {
  for (const AccumulationRecord& record : kAccumulations) {
    if (record.accumulation == accumulation) {
      return record.name;
    }
  }
  return {};
}

}  // namespace nibblecore
