// SPDX-License-Identifier: Apache-2.0
#include "hw/units/lane_reader.hpp"

#include <algorithm>

namespace nibblecore::hw {

void read_lanes(const OperandPanel& panel, const std::vector<uint8_t>& from, int64_t block_bytes,
                const LaneWindow& window, int64_t lane_bytes, std::vector<uint8_t>& to) {
  const int64_t count = window.blocks * block_bytes;
  if (window.rows * lane_bytes < static_cast<int64_t>(to.size())) {
    std::fill(to.begin(), to.end(), uint8_t{0});
  }
  const int64_t stride = panel.blocks * block_bytes;
  const uint8_t* source =
      from.data() + window.first_row * stride + window.first_block * block_bytes;
  for (int64_t lane = 0; lane < window.rows; ++lane) {
    std::copy_n(source + lane * stride, count, to.data() + lane * lane_bytes);
  }
}

void read_scales(const OperandPanel& panel, const std::vector<uint8_t>& from,
                 const LaneWindow& window, int64_t blocks_a_lane, int64_t first,
                 std::vector<uint8_t>& to) {
  const int64_t stride = panel.blocks * panel.scale_bytes;
  const uint8_t* source =
      from.data() + window.first_row * stride + window.first_block * panel.scale_bytes;
  for (int64_t lane = 0; lane < window.rows; ++lane) {
    for (int64_t block = 0; block < window.blocks; ++block) {
      to[static_cast<size_t>(lane * blocks_a_lane + first + block)] =
          source[lane * stride + block * panel.scale_bytes];
    }
  }
}

void read_micro_exponents(const OperandPanel& panel, const std::vector<uint8_t>& from,
                          const LaneWindow& window, int64_t units_a_lane,
                          std::vector<uint8_t>& level2, std::vector<uint16_t>& level3) {
  constexpr int64_t kWord = 4;  // E6M2, E1_8, E1_16 low, E1_16 high
  const int64_t stride = panel.blocks * kWord;
  const uint8_t* source = from.data() + window.first_row * stride + window.first_block * kWord;
  if (window.rows * units_a_lane < static_cast<int64_t>(level2.size())) {
    std::fill(level2.begin(), level2.end(), uint8_t{0});
    std::fill(level3.begin(), level3.end(), uint16_t{0});
  }
  for (int64_t lane = 0; lane < window.rows; ++lane) {
    for (int64_t unit = 0; unit < window.blocks; ++unit) {
      const uint8_t* word = source + lane * stride + unit * kWord;
      const auto index = static_cast<size_t>(lane * units_a_lane + unit);
      level2[index] = word[1];
      level3[index] = static_cast<uint16_t>(word[2] | (word[3] << 8));
    }
  }
}

void read_factors(const OperandPanel& panel, int64_t first_row, int64_t rows, int64_t macro,
                  std::vector<uint16_t>& to) {
  std::fill(to.begin(), to.end(), kFactorOfOne);
  const int64_t lanes = static_cast<int64_t>(to.size()) / kStepMacroBlocks;
  const int64_t count = std::min<int64_t>(kStepMacroBlocks, panel.factors_a_row - macro);
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t lane = 0; lane < rows; ++lane) {
      to[static_cast<size_t>(i * lanes + lane)] =
          panel.factors[static_cast<size_t>((first_row + lane) * panel.factors_a_row + macro + i)];
    }
  }
}

}  // namespace nibblecore::hw
