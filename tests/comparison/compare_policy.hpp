// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/accumulation.hpp"
#include "tests/comparison/census.hpp"

namespace nibblecore::comparison {

/// Whether results are compared as they are, or one bit of one is turned first, to see it found.
enum class Alteration { kNone, kOneBit };

struct ComparisonPlan {
  Accumulation policy;
  int64_t outputs;  ///< at least
  uint64_t seed;
  int threads;
  Alteration alteration;
};

/// Compares random GEMMs of the emulator, each on the next of the available targets, with the
/// golden reference, every bit and what truncation took. Prints the first mismatches on standard
/// error, and progress where that is a terminal. The result does not depend on the number of
/// threads.
Census compare_policy(const ComparisonPlan& plan);

}  // namespace nibblecore::comparison
