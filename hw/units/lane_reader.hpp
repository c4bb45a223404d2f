// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw/channel/payload.hpp"
#include "hw/units/operand_panel.hpp"

namespace nibblecore::hw {

/// Lanes and blocks of a panel that one step reads.
struct LaneWindow {
  int64_t first_row;
  int64_t rows;  ///< inside the panel, at most the lanes
  int64_t first_block;
  int64_t blocks;
};

/// Copies the window's bytes, `block_bytes` a block, from a panel's array [rows, blocks] to lanes
/// of `lane_bytes` each. Lanes beyond the panel become 0; blocks beyond the window keep what they
/// held, since nothing reads them.
void read_lanes(const OperandPanel& panel, const std::vector<uint8_t>& from, int64_t block_bytes,
                const LaneWindow& window, int64_t lane_bytes, std::vector<uint8_t>& to);

/// Block scales of the window, from block `first` of each lane on. HiF4's micro-exponents go where
/// the array wants them.
void read_scales(const OperandPanel& panel, const std::vector<uint8_t>& from,
                 const LaneWindow& window, int64_t blocks_a_lane, int64_t first,
                 std::vector<uint8_t>& to);
void read_micro_exponents(const OperandPanel& panel, const std::vector<uint8_t>& from,
                          const LaneWindow& window, int64_t units_a_lane,
                          std::vector<uint8_t>& level2, std::vector<uint16_t>& level3);

/// Factors of macro block `macro` and the one behind it, [kStepMacroBlocks, lanes]; 1 where the
/// panel has none.
void read_factors(const OperandPanel& panel, int64_t first_row, int64_t rows, int64_t macro,
                  std::vector<uint16_t>& to);

}  // namespace nibblecore::hw
