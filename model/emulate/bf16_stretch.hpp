// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/emulate/aligned_buffer.hpp"
#include "model/emulate/bf16_expander.hpp"
#include "model/emulate/gemm_operands.hpp"
#include "model/emulate/gemm_steps.hpp"
#include "model/emulate/tile_range.hpp"

namespace nibblecore {

/// Elements of K that are decoded and added at a time, and that a step adds at most.
inline constexpr int64_t kLongestBf16Step = kBf16Tiles * kBf16TileElements;

/// Whether the tile unit adds all of them exactly in BF16 (fits_bf16).
bool fit_bf16(const GemmOperands& operands);

/// Adds steps of a GEMM to all tiles of a region. Operands are decoded here, a stretch of K of the
/// region's rows at a time, into buffers that stay in a second-level cache. Needs
/// EmulatorTarget::kAmx and operands that fit.
class Bf16Stretch {
 public:
  explicit Bf16Stretch(const GemmOperands& operands) : operands_(operands) {}

  /// Behind the last step, from `first` on, that can be added together with it; `first` where that
  /// step adds no blocks.
  size_t end_of_stretch(const std::vector<GemmStep>& steps, size_t first) const;

  /// Adds steps [first, end), end_of_stretch() or less, to the tiles of `range`: `accumulators` is
  /// the plane of the first, which the others follow, panels fastest.
  void add(const std::vector<GemmStep>& steps, size_t first, size_t end, const TileRange& range,
           float* accumulators);

 private:
  void decode(const TileRange& range);

  GemmOperands operands_;
  Bf16Blocks left_;
  Bf16Blocks right_;
  int64_t tiles_ = 0;   ///< of the stretch, padded to whole turns
  int64_t units_ = 0;   ///< of the region: sixteen rows of A each
  int64_t panels_ = 0;  ///< that the buffers hold
  int64_t strips_ = 0;
  AlignedBuffer<uint16_t> left_elements_;
  AlignedBuffer<uint16_t> right_elements_;
};

}  // namespace nibblecore
