// SPDX-License-Identifier: Apache-2.0
#include "model/import/import_counts.hpp"

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

// A file may hold any number of names.
TEST(ImportCounts, KeepsTheFirstUnknownNames) {
  ImportCounts counts;
  for (int turn = 0; turn < 2; ++turn) {
    for (int name = 0; name < 40; ++name) {
      counts.skip_unknown("op" + std::to_string(name));
    }
  }
  counts.skip(SkipReason::kWrapper);
  EXPECT_EQ(counts.unknown_operators.size(), 32U);
  EXPECT_EQ(counts.unknown_operators.at("op31"), 2);
  EXPECT_EQ(counts.skipped.at(SkipReason::kUnknownOperator), 80);
  EXPECT_EQ(counts.all_skipped(), 81);
}

TEST(ImportCounts, EveryReasonHasItsText) {
  for (const auto& [reason, text] : kSkipReasons) {
    EXPECT_EQ(text_of(reason), text);
  }
}

}  // namespace
}  // namespace nibblecore
