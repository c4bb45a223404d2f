// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/array_watch.hpp"

#include <algorithm>

namespace nibblecore::tb {
namespace {

void store(std::vector<uint8_t>& registers, int64_t index, const int32_t* lanes, int count) {
  for (int i = 0; i < count; ++i) {
    registers.at(static_cast<size_t>(index + i)) = static_cast<uint8_t>(lanes[i] & 0xF);
  }
}

}  // namespace

ArrayWatch::Registers::Registers(int64_t k, int64_t lanes_of_it)
    : codes(static_cast<size_t>(k * lanes_of_it)),
      level2(codes.size()),
      level3(codes.size()),
      lanes(lanes_of_it) {}

/// `position`: of the code among the registers; `k`: of the element along K.
ArrayElement ArrayWatch::Registers::element(int64_t position, int64_t k, int64_t lane) const {
  return {codes[static_cast<size_t>(position * lanes + lane)],
          level2[static_cast<size_t>(k / 8 * lanes + lane)],
          level3[static_cast<size_t>(k / 4 * lanes + lane)]};
}

ArrayWatch::ArrayWatch(const CoreDescription& core, ArrayPoints& dense, ArrayPoints& sparse)
    : core_(core),
      dense_(dense),
      sparse_(sparse),
      a_(2 * int64_t{core.depth}, core.rows),
      b_(2 * int64_t{core.depth}, core.columns),
      residual_(2 * int64_t{core.depth}, core.rows),
      selects_(residual_.codes.size()),
      any_product_(static_cast<size_t>(core.rows) * static_cast<size_t>(core.columns)) {}

void ArrayWatch::bus(const TilePlace& place, hw::Site site, int64_t index, const int32_t* lanes,
                     int count) {
  switch (site) {
    case hw::Site::kACode:
      return store(a_.codes, index, lanes, count);
    case hw::Site::kALevel2:
      return store(a_.level2, index, lanes, count);
    case hw::Site::kALevel3:
      return store(a_.level3, index, lanes, count);
    case hw::Site::kBCode:
      return store(b_.codes, index, lanes, count);
    case hw::Site::kBLevel2:
      return store(b_.level2, index, lanes, count);
    case hw::Site::kBLevel3:
      return store(b_.level3, index, lanes, count);
    case hw::Site::kResidualCode:
      return store(residual_.codes, index, lanes, count);
    case hw::Site::kResidualIndex:
      return store(selects_, index, lanes, count);
    case hw::Site::kResidualLevel2:
      return store(residual_.level2, index, lanes, count);
    case hw::Site::kResidualLevel3:
      return store(residual_.level3, index, lanes, count);
    case hw::Site::kProduct:
      return product(outputs(place, index, count), lanes);
    case hw::Site::kResidualProduct:
      return residual_product(outputs(place, index, count), lanes);
    case hw::Site::kGroupSum:
      return group_sum(outputs(place, index, count), a_, dense_, lanes);
    case hw::Site::kResidualGroupSum:
      return group_sum(outputs(place, index, count), residual_, sparse_, lanes);
    case hw::Site::kBlockSum16:
    case hw::Site::kBlockSum32:
    case hw::Site::kBlockSum64:
    case hw::Site::kUnitSum:
      return block_sum(outputs(place, index, count), dense_, lanes);
    case hw::Site::kResidualBlockSum16:
    case hw::Site::kResidualBlockSum32:
    case hw::Site::kResidualBlockSum64:
    case hw::Site::kResidualUnitSum:
      return block_sum(outputs(place, index, count), sparse_, lanes);
    default:
      return;
  }
}

ArrayWatch::Outputs ArrayWatch::outputs(const TilePlace& place, int64_t index, int count) const {
  const int64_t column = index % core_.columns;
  const int64_t row = index / core_.columns % core_.rows;
  const int64_t inside =
      row < place.rows ? std::clamp<int64_t>(place.columns - column, 0, count) : 0;
  return {index / core_.columns / core_.rows, row, column, static_cast<int>(inside)};
}

void ArrayWatch::note_product(int64_t row, int64_t column, int32_t product) {
  if (product != 0) {
    any_product_[static_cast<size_t>(row * core_.columns + column)] = 1;
  }
}

void ArrayWatch::product(const Outputs& outputs, const int32_t* lanes) {
  const int64_t k = outputs.position;
  const ArrayElement a = a_.element(k, k, outputs.row);
  for (int i = 0; i < outputs.count; ++i) {
    dense_.sample_pair(a, b_.element(k, k, outputs.column + i));
    note_product(outputs.row, outputs.column + i, lanes[i]);
  }
}

void ArrayWatch::residual_product(const Outputs& outputs, const int32_t* lanes) {
  const int64_t kept = outputs.position;
  const int64_t select = selects_[static_cast<size_t>(kept * residual_.lanes + outputs.row)];
  const int64_t k = kept / 2 * 4 + select;
  const ArrayElement a = residual_.element(kept, k, outputs.row);
  for (int i = 0; i < outputs.count; ++i) {
    sparse_.sample_pair(a, b_.element(k, k, outputs.column + i));
    note_product(outputs.row, outputs.column + i, lanes[i]);
  }
}

void ArrayWatch::group_sum(const Outputs& outputs, const Registers& a, ArrayPoints& points,
                           const int32_t* lanes) const {
  const int64_t group = outputs.position;
  const int of_a = a.level2[static_cast<size_t>(group * a.lanes + outputs.row)];
  for (int i = 0; i < outputs.count; ++i) {
    const int of_b = b_.level2[static_cast<size_t>(group * b_.lanes + outputs.column + i)];
    points.sample_group(lanes[i], of_a + of_b);
  }
}

void ArrayWatch::block_sum(const Outputs& outputs, ArrayPoints& points, const int32_t* lanes) {
  for (int i = 0; i < outputs.count; ++i) {
    uint8_t& any =
        any_product_[static_cast<size_t>(outputs.row * core_.columns + outputs.column + i)];
    points.sample_block(lanes[i], any != 0);
    any = 0;
  }
}

}  // namespace nibblecore::tb
