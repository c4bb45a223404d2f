// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/scoreboard.hpp"

#include "model/common/error.hpp"

namespace nibblecore::tb {

Comparison compare_bits(const std::vector<uint32_t>& expected, const std::vector<uint32_t>& found,
                        int64_t columns) {
  if (expected.size() != found.size()) {
    throw InternalError("scoreboard: results of different sizes");
  }
  Comparison comparison;
  comparison.outputs = static_cast<int64_t>(expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == found[i]) {
      continue;
    }
    if (comparison.mismatches++ == 0) {
      const auto index = static_cast<int64_t>(i);
      comparison.first = Mismatch{index / columns, index % columns, expected[i], found[i]};
    }
  }
  return comparison;
}

}  // namespace nibblecore::tb
