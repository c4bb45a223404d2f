// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "model/formats/accumulation.hpp"
#include "tests/comparison/census.hpp"

namespace nibblecore::comparison {

/// Whether results are compared as they are, or first a bit of one is turned, or of what truncation
/// took from one, to see it found.
enum class Alteration { kNone, kResult, kLoss };

struct ComparisonPlan {
  Accumulation policy{};
  int64_t outputs = 0;  ///< at least
  uint64_t seed = 1;
  int threads = 1;
  Alteration alteration = Alteration::kNone;
  std::optional<int64_t> only_case;  ///< compare this one alone
};

/// Compares random GEMMs of the emulator, each on the next of the available targets, with the
/// golden reference, every bit and what truncation took. Prints some mismatches on standard error,
/// and progress where that is a terminal. The result does not depend on the number of threads.
Census compare_policy(const ComparisonPlan& plan);

}  // namespace nibblecore::comparison
