// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw/datapath/site.hpp"
#include "model/machine/core_description.hpp"
#include "tb/coverage/array_points.hpp"
#include "tb/coverage/step_places.hpp"

namespace nibblecore::tb {

/// Reads the array's buses: operand registers, multipliers, adder trees, dense and 2:4.
class ArrayWatch {
 public:
  ArrayWatch(const CoreDescription& core, ArrayPoints& dense, ArrayPoints& sparse);

  /// `lanes` [count] from instance `index` of the bus on; `place`: of the step's tile.
  void bus(const TilePlace& place, hw::Site site, int64_t index, const int32_t* lanes, int count);

 private:
  /// Registers of one operand or of the 2:4 residual, in the order of their buses.
  struct Registers {
    std::vector<uint8_t> codes;
    std::vector<uint8_t> level2;
    std::vector<uint8_t> level3;
    int64_t lanes;

    Registers(int64_t k, int64_t lanes_of_it);
    ArrayElement element(int64_t position, int64_t k, int64_t lane) const;
  };

  /// A row and the columns of one call, held to the outputs inside M and N.
  struct Outputs {
    int64_t position;  ///< along K, or a group or block
    int64_t row;
    int64_t column;
    int count;
  };
  Outputs outputs(const TilePlace& place, int64_t index, int count) const;

  void product(const Outputs& outputs, const int32_t* lanes);
  void residual_product(const Outputs& outputs, const int32_t* lanes);
  void group_sum(const Outputs& outputs, const Registers& a, ArrayPoints& points,
                 const int32_t* lanes) const;
  void block_sum(const Outputs& outputs, ArrayPoints& points, const int32_t* lanes);
  void note_product(int64_t row, int64_t column, int32_t product);

  CoreDescription core_;
  ArrayPoints& dense_;
  ArrayPoints& sparse_;
  Registers a_;
  Registers b_;
  Registers residual_;
  std::vector<uint8_t> selects_;      ///< [kept, row]
  std::vector<uint8_t> any_product_;  ///< [row, column]: not zero in the block under way
};

}  // namespace nibblecore::tb
