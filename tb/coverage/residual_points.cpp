// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/residual_points.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include "model/common/checked.hpp"

namespace nibblecore::tb {
namespace {

using Names = std::vector<std::string>;

std::string group_of(const BlockFormat& format) { return std::string(format.name) + " residual"; }

std::vector<CoverBin> position_bins() {
  const Names positions{"0", "1", "2", "3"};
  std::vector<CoverBin> bins = bins_of(cross(positions, positions));
  for (size_t first = 0; first < 4; ++first) {
    rule_out(bins, 4 * first, 4 * first + first,
             "the selector lists the positions that it keeps in ascending order");
  }
  return bins;
}

std::vector<CoverBin> non_zero_bins() {
  return bins_of(
      {"none", "one, at 0", "one, at 1", "one, at 2", "one, at 3", "two", "three", "four"});
}

enum TieBin : size_t { kNoTie, kZeroTie, kCutAlone, kWithLarger, kWithSmaller, kAllEqual };

std::vector<CoverBin> tie_bins() {
  return bins_of({"no tie at the cut", "tie of zeros", "second equals third", "first three equal",
                  "last three equal", "all equal, not zero"});
}

std::vector<CoverBin> step_bins(const BlockFormat& format) {
  std::vector<CoverBin> bins =
      bins_of(cross({"dense", "residual", "2:4", "dense and 2:4 beside", "2:4 beside"},
                    {"whole", "masked blocks"}));
  if (format.block == 64) {
    const auto beside = static_cast<size_t>(StepKind::kDenseAndSparse) * 2;
    rule_out(bins, beside + 1, beside + 1,
             "this step belongs to the interleaved order, whose depth is 64: one block, which is "
             "never masked");
  }
  return bins;
}

std::vector<CoverBin> schedule_bins() {
  return bins_of(
      cross(cross({"2:4", "dense", "channel-50", "block-32x64-50"}, {"serial", "parallel"}),
            {"interleaved", "appended"}));
}

std::vector<CoverBin> granule_bins(const BlockFormat& format) {
  std::vector<CoverBin> bins = bins_of(cross(
      {"granule 64", "granule 128"},
      {"K ends with a granule", "K ends with a block inside a granule", "K ends inside a block"}));
  if (format.block == 64) {
    rule_out(bins, 1, 1, "a granule of 64 is one block");
  }
  return bins;
}

std::vector<CoverBin> mask_bins() {
  std::vector<CoverBin> bins = bins_of(
      cross({"channels of a block", "tiles over a block"}, {"none kept", "some kept", "all kept"}));
  rule_out(bins, 4, 4, "no block of at most 64 elements reaches into two tiles of 64 channels");
  return bins;
}

}  // namespace

ResidualPoints::ResidualPoints(const BlockFormat& format, Coverage& coverage)
    : positions_(coverage.add(group_of(format), "2:4 positions", position_bins())),
      non_zeros_(coverage.add(group_of(format), "2:4 non-zeros of a quad", non_zero_bins())),
      ties_(coverage.add(group_of(format), "2:4 ties of a quad", tie_bins())),
      steps_(coverage.add(group_of(format), "steps", step_bins(format))),
      schedules_(coverage.add(group_of(format), "pattern, build, order", schedule_bins())),
      granules_(coverage.add(group_of(format), "interleaved, end of K", granule_bins(format))),
      passes_(coverage.add(group_of(format), "appended, passes of the chunks",
                           bins_of({"one", "two"}))),
      masks_(coverage.add(group_of(format), "mask", mask_bins())) {}

void ResidualPoints::sample_quad(const std::array<uint8_t, 4>& codes, uint8_t indices) {
  std::array<int, 4> magnitudes{};
  std::transform(codes.begin(), codes.end(), magnitudes.begin(),
                 [](uint8_t code) { return code & 7; });
  positions_.hit(size_t{indices & 3U} * 4 + (indices >> 2U));
  const auto zero = [](int magnitude) { return magnitude == 0; };
  const auto count =
      static_cast<size_t>(4 - std::count_if(magnitudes.begin(), magnitudes.end(), zero));
  if (count == 1) {
    const auto at = std::find_if_not(magnitudes.begin(), magnitudes.end(), zero);
    non_zeros_.hit(1 + static_cast<size_t>(at - magnitudes.begin()));
  } else {
    non_zeros_.hit(count == 0 ? 0 : count + 3);
  }
  std::sort(magnitudes.begin(), magnitudes.end(), std::greater<>());
  if (magnitudes[1] != magnitudes[2]) {
    ties_.hit(kNoTie);
  } else if (magnitudes[1] == 0) {
    ties_.hit(kZeroTie);
  } else {
    const bool larger = magnitudes[0] == magnitudes[1];
    const bool smaller = magnitudes[3] == magnitudes[1];
    ties_.hit(larger ? (smaller ? kAllEqual : kWithLarger) : (smaller ? kWithSmaller : kCutAlone));
  }
}

void ResidualPoints::sample_step(StepKind kind, int dense_blocks, int residual_blocks,
                                 int depth_blocks) {
  const bool dense = kind == StepKind::kDense || kind == StepKind::kDenseAndSparse;
  const int blocks = dense ? dense_blocks : residual_blocks;
  const int most = kind == StepKind::kSparse ? 2 * depth_blocks : depth_blocks;
  steps_.hit(static_cast<size_t>(kind) * 2 + (blocks < most ? 1 : 0));
}

void ResidualPoints::sample_program(const Program& program, const std::vector<uint8_t>& mask) {
  const GemmSpec& spec = program.spec();
  if (spec.residual == ResidualPattern::kNone) {
    return;
  }
  const size_t pattern = static_cast<size_t>(spec.residual) - 1;
  const bool parallel = spec.residual_build == ResidualBuild::kParallel;
  const bool appended = spec.residual_order == ResidualOrder::kAppended;
  schedules_.hit(pattern * 4 + (parallel ? 2 : 0) + (appended ? 1 : 0));
  if (appended) {
    passes_.hit(program.body(ChunkIndex{}).part == ChunkPart::kWhole ? 0 : 1);
  } else {
    const int64_t granule = parallel ? 64 : 128;
    const size_t end = spec.k % granule == 0 ? 0 : spec.k % spec.format.block == 0 ? 1 : 2;
    granules_.hit((parallel ? 0 : 3) + end);
  }
  sample_mask(spec, mask);
}

void ResidualPoints::sample_mask(const GemmSpec& spec, const std::vector<uint8_t>& mask) {
  if (mask.empty()) {
    return;
  }
  const bool channels = spec.residual == ResidualPattern::kChannel50;
  const int64_t tile_columns = ceil_divide(spec.k, kResidualTileChannels);
  const int64_t rows = channels ? 1 : ceil_divide(spec.m, kResidualTileRows);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t first = 0; first < spec.k; first += spec.format.block) {
      const int64_t end = std::min(spec.k, first + spec.format.block);
      int64_t kept = 0;
      for (int64_t k = first; k < end; ++k) {
        const int64_t at = channels ? k : row * tile_columns + k / kResidualTileChannels;
        kept += mask.at(static_cast<size_t>(at)) != 0 ? 1 : 0;
      }
      masks_.hit((channels ? 0U : 3U) + (kept == 0 ? 0U : kept < end - first ? 1U : 2U));
    }
  }
}

}  // namespace nibblecore::tb
