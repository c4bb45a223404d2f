// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw/channel/payload.hpp"
#include "model/machine/program.hpp"

namespace nibblecore::tb {

/// Where a step's output tile lies in the result, and what of it is inside.
struct TilePlace {
  int64_t first_row;
  int64_t first_column;
  int64_t rows;  ///< inside M
  int64_t columns;
};

/// Finds the place of every step of a program. The program outlives it.
class StepPlaces {
 public:
  explicit StepPlaces(const Program& program);

  TilePlace place(const hw::StepTag& tag) const;

 private:
  const Program& program_;
  std::vector<ChunkIndex> trips_;
};

}  // namespace nibblecore::tb
