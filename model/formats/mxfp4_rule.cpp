// SPDX-License-Identifier: Apache-2.0
#include "model/formats/mxfp4_rule.hpp"

namespace nibblecore {

std::string Mxfp4Quirks::names() const {
  std::string names;
  for (const Mxfp4QuirkRecord& record : kMxfp4Quirks) {
    if (has(record.quirk)) {
      names += (names.empty() ? "" : ", ") + std::string(record.name);
    }
  }
  return names;
}

}  // namespace nibblecore
