// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/step_places.hpp"

#include <algorithm>

namespace nibblecore::tb {

StepPlaces::StepPlaces(const Program& program) : program_(program) {
  ChunkIndex index;
  do {
    trips_.push_back(index);
  } while (advance(program, index));
}

TilePlace StepPlaces::place(const hw::StepTag& tag) const {
  const CoreDescription& core = program_.machine().core;
  const ChunkIndex& index = trips_.at(static_cast<size_t>(tag.trip));
  const int64_t row = program_.first_row(index) + int64_t{tag.tile_row} * core.rows;
  const int64_t column = program_.first_column(index) + int64_t{tag.tile_column} * core.columns;
  return {row, column, std::min<int64_t>(core.rows, program_.spec().m - row),
          std::min<int64_t>(core.columns, program_.spec().n - column)};
}

}  // namespace nibblecore::tb
