// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/share.hpp"

namespace nibblecore::tb {

std::optional<double> share_if_any(int64_t part, int64_t whole) {
  return whole == 0 ? std::nullopt
                    : std::optional<double>(static_cast<double>(part) / static_cast<double>(whole));
}

double share(int64_t part, int64_t whole) { return share_if_any(part, whole).value_or(0.0); }

}  // namespace nibblecore::tb
