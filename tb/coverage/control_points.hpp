// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/machine/cycle_report.hpp"
#include "model/machine/program.hpp"
#include "tb/coverage/coverage.hpp"

namespace nibblecore::tb {

/// Whether the channels of the core refuse entries at random.
enum class Pressure { kNone, kRandom };

/// Channels of a core, as they are named below it.
inline constexpr std::array<std::string_view, 12> kChannels{
    "a_unquantized", "a_quantized", "a_steps", "a_codes",  "a_scales", "b_unquantized",
    "b_quantized",   "b_steps",     "b_codes", "b_scales", "sums",     "products"};

/// Flags of a core: of the halves of L1 and L0 of both operands, of L0C, and of start values.
inline constexpr std::array<std::string_view, 11> kFlags{
    "a_l1_filled", "a_l1_free", "a_l0_filled",   "a_l0_free",   "b_l1_filled", "b_l1_free",
    "b_l0_filled", "b_l0_free", "region_filled", "region_free", "start_filled"};

/// What the core's control goes through: programs, stalls, channels, halves of buffers.
class ControlPoints {
 public:
  explicit ControlPoints(Coverage& coverage);

  void sample_program(const Program& program);
  void sample_report(const CycleReport& report);
  /// Entries that a channel holds in one cycle.
  void sample_channel(size_t channel, uint32_t occupancy, Pressure pressure);
  /// What a flag counts in one cycle.
  void sample_flag(size_t flag, int64_t count);

 private:
  CoverPoint& stalls_;
  CoverPoint& loops_;
  CoverPoint& paths_;
  CoverPoint& ends_;
  CoverPoint& extents_;
  CoverPoint& edges_;
  CoverPoint& free_channels_;
  CoverPoint& pressed_channels_;
  CoverPoint& flags_;
};

}  // namespace nibblecore::tb
