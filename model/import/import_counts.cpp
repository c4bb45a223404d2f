// SPDX-License-Identifier: Apache-2.0
#include "model/import/import_counts.hpp"

namespace nibblecore {
namespace {

constexpr size_t kNamesKept = 32;

}  // namespace

void ImportCounts::skip_unknown(std::string_view name) {
  skip(SkipReason::kUnknownOperator);
  const auto found = unknown_operators.find(std::string(name));
  if (found != unknown_operators.end()) {
    ++found->second;
  } else if (unknown_operators.size() < kNamesKept) {
    unknown_operators.emplace(name, 1);
  }
}

int64_t ImportCounts::all_skipped() const {
  int64_t sum = 0;
  for (const auto& [reason, count] : skipped) {
    sum += count;
  }
  return sum;
}

}  // namespace nibblecore
