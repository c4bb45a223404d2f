// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/control_points.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace nibblecore::tb {
namespace {

using Names = std::vector<std::string>;

constexpr const char* kGroup = "control";

size_t stall_bin(Unit unit, StallCause cause) {
  return static_cast<size_t>(unit) * kStallCauses + static_cast<size_t>(cause);
}

/// Stalls that a unit has no wait for.
void rule_out_stalls(std::vector<CoverBin>& bins, Unit unit, const std::vector<StallCause>& waits,
                     const char* reason) {
  for (int cause = 0; cause < kStallCauses; ++cause) {
    const auto stall = static_cast<StallCause>(cause);
    if (std::find(waits.begin(), waits.end(), stall) == waits.end()) {
      rule_out(bins, stall_bin(unit, stall), stall_bin(unit, stall), reason);
    }
  }
}

std::vector<CoverBin> stall_bins() {
  Names units;
  Names causes;
  for (int unit = 0; unit < kUnits; ++unit) {
    units.emplace_back(name_of(static_cast<Unit>(unit)));
  }
  for (int cause = 0; cause < kStallCauses; ++cause) {
    causes.emplace_back(name_of(static_cast<StallCause>(cause)));
  }
  std::vector<CoverBin> bins = bins_of(cross(units, causes));
  rule_out_stalls(bins, Unit::kMemoryPort, {StallCause::kResult, StallCause::kFullBuffer},
                  "the port waits for a half to fill or for a region to store only");
  rule_out_stalls(bins, Unit::kMoveA, {StallCause::kOperandA, StallCause::kFullBuffer},
                  "move A waits for its operand in L1 and a half of L0A only");
  rule_out_stalls(bins, Unit::kMoveB, {StallCause::kOperandB, StallCause::kFullBuffer},
                  "move B waits for its operand in L1 and a half of L0B only");
  rule_out_stalls(bins, Unit::kArray,
                  {StallCause::kOperandA, StallCause::kOperandB, StallCause::kFullBuffer,
                   StallCause::kStartValues, StallCause::kAccumulate, StallCause::kPipeline},
                  "results are the port's to wait for");
  return bins;
}

std::vector<CoverBin> channel_bins() {
  Names names;
  for (const std::string_view channel : kChannels) {
    for (const char* occupancy : {"empty", "one", "full"}) {
      names.push_back(std::string(channel) + " " + occupancy);
    }
  }
  return bins_of(names);
}

constexpr size_t kOccupancies = 3;

std::vector<CoverBin> free_channel_bins() {
  std::vector<CoverBin> bins = channel_bins();
  for (size_t channel = 0; channel < kChannels.size(); ++channel) {
    const size_t full = channel * kOccupancies + 2;
    rule_out(bins, full, full,
             "entries come at most as often as they are taken, and without back-pressure each is "
             "taken in the cycle in which it shows");
  }
  return bins;
}

std::vector<CoverBin> pressed_channel_bins() {
  std::vector<CoverBin> bins = channel_bins();
  for (size_t channel = 0; channel < kChannels.size(); ++channel) {
    if (kChannels.at(channel) == "a_quantized" || kChannels.at(channel) == "b_quantized") {
      const size_t full = channel * kOccupancies + 2;
      rule_out(
          bins, full, full,
          "the move takes the entry that shows in every cycle: it has its place in L0 already");
    }
  }
  return bins;
}

constexpr int64_t kMostCounted = 3;

std::vector<CoverBin> flag_bins() {
  Names names;
  for (const std::string_view flag : kFlags) {
    for (const char* count : {"0", "1", "2", "3 or more"}) {
      names.push_back(std::string(flag) + " " + count);
    }
  }
  std::vector<CoverBin> bins = bins_of(names);
  for (size_t flag = 0; flag < kFlags.size(); ++flag) {
    // L1 holds more than two pieces where a half keeps a panel.
    if (kFlags.at(flag) != "a_l1_filled" && kFlags.at(flag) != "b_l1_filled") {
      const size_t more = flag * (kMostCounted + 1) + kMostCounted;
      rule_out(bins, more, more, "it counts halves, of which there are two");
    }
  }
  return bins;
}

}  // namespace

ControlPoints::ControlPoints(Coverage& coverage)
    : stalls_(coverage.add(kGroup, "stalls", stall_bins())),
      loops_(coverage.add(
          kGroup, "loop order, residency, step order",
          bins_of(cross(cross({"rows outer", "columns outer"}, {"streamed", "outer kept"}),
                        {"tiles inner", "steps inner"})))),
      paths_(coverage.add(
          kGroup, "path of A, of B",
          bins_of(cross({"A packed", "A BF16", "A FP32"}, {"B packed", "B BF16", "B FP32"})))),
      ends_(coverage.add(kGroup, "start, output",
                         bins_of(cross({"from zero", "from memory"}, {"FP32", "BF16"})))),
      extents_(coverage.add(kGroup, "regions, chunks",
                            bins_of(cross(cross({"one row of regions", "several rows"},
                                                {"one column", "several columns"}),
                                          {"one chunk", "several chunks"})))),
      edges_(coverage.add(kGroup, "edges of M, N, K",
                          bins_of(cross(cross({"M whole", "M cut"}, {"N whole", "N cut"}),
                                        {"K whole steps", "K whole blocks", "K inside a block"})))),
      free_channels_(coverage.add(kGroup, "channels", free_channel_bins())),
      pressed_channels_(
          coverage.add(kGroup, "channels under back-pressure", pressed_channel_bins())),
      flags_(coverage.add(kGroup, "flags", flag_bins())) {}

void ControlPoints::sample_program(const Program& program) {
  const GemmSpec& spec = program.spec();
  const Tiling& tiling = program.tiling();
  const CoreDescription& core = program.machine().core;
  const bool columns_outer = tiling.loop_order == LoopOrder::kColumnsOuter;
  loops_.hit(static_cast<size_t>(tiling.loop_order) * 4 +
             static_cast<size_t>(tiling.residency) * 2 + static_cast<size_t>(tiling.step_order));
  paths_.hit(static_cast<size_t>(spec.a) * 3 + static_cast<size_t>(spec.b));
  ends_.hit(static_cast<size_t>(spec.start) * 2 + static_cast<size_t>(spec.output));
  const bool rows = (columns_outer ? program.inner_count() : program.outer_count()) > 1;
  const bool columns = (columns_outer ? program.outer_count() : program.inner_count()) > 1;
  extents_.hit((rows ? 4U : 0U) + (columns ? 2U : 0U) + (program.chunk_count() > 1 ? 1U : 0U));
  const size_t k_end = spec.k % core.depth == 0 ? 0 : spec.k % spec.format.block == 0 ? 1 : 2;
  edges_.hit((spec.m % core.rows != 0 ? 6U : 0U) + (spec.n % core.columns != 0 ? 3U : 0U) + k_end);
}

void ControlPoints::sample_report(const CycleReport& report) {
  for (int unit = 0; unit < kUnits; ++unit) {
    for (int cause = 0; cause < kStallCauses; ++cause) {
      const int64_t cycles =
          report.units.at(static_cast<size_t>(unit)).stalls.at(static_cast<size_t>(cause));
      stalls_.hit(stall_bin(static_cast<Unit>(unit), static_cast<StallCause>(cause)), cycles);
    }
  }
}

void ControlPoints::sample_channel(size_t channel, uint32_t occupancy, Pressure pressure) {
  CoverPoint& point = pressure == Pressure::kNone ? free_channels_ : pressed_channels_;
  point.hit(channel * kOccupancies + occupancy);
}

void ControlPoints::sample_flag(size_t flag, int64_t count) {
  flags_.hit(flag * (kMostCounted + 1) + static_cast<size_t>(std::min(count, kMostCounted)));
}

}  // namespace nibblecore::tb
