// SPDX-License-Identifier: Apache-2.0
#include "model/formats/accumulation.hpp"

#include "model/formats/named_record.hpp"

namespace nibblecore {

Accumulation accumulation(std::string_view name) {
  return find_record(kAccumulations, name, "--accumulate").accumulation;
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
