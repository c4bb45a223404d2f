// SPDX-License-Identifier: Apache-2.0
#include "model/trace/filter.hpp"
#include "tests/fuzz/readers.hpp"
#include "tests/fuzz/sample_records.hpp"

namespace nibblecore {

// Matching is part of it: a regular expression may be found too laborious only then.
Verdict fuzz_filter(std::string_view bytes) {
  const bool accepted = accepts([&] {
    const Filter filter(bytes);
    for (const GemmRecord& record : sample_records()) {
      filter.matches(record);
    }
  });
  return accepted ? Verdict::kAccepted : Verdict::kRefused;
}

}  // namespace nibblecore
