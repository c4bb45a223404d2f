// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace nibblecore::hw {

/// Names one block of an operand; travels with it through the quantizer.
struct BlockTag {
  int64_t row = 0;
  int64_t block = 0;  ///< along K

  friend bool operator==(const BlockTag& a, const BlockTag& b) {
    return a.row == b.row && a.block == b.block;
  }
};

/// Every element of a block.
inline constexpr uint64_t kKeepAll = ~uint64_t{0};

/// A block on its way into the quantizer: FP32 bits, a BF16 value with 16 zero bits appended; the
/// first 16 count for NVFP4, the first 32 for MXFP4, all 64 for HiF4. A tail of K is padded with
/// +0.
struct UnquantizedBlock {
  BlockTag tag;
  std::array<uint32_t, 64> values{};
  /// Bit i: element i of the residual takes part. Metadata of the patterns that select whole
  /// channels or tiles, loaded with the block; kKeepAll under the others.
  uint64_t keep = kKeepAll;
};

/// A quantized block, or its residual, as the operand buffer holds it. Bytes beyond those that the
/// format and the residual pattern need are 0.
struct PackedBlock {
  /// E8M0, or UE4M3, or E6M2, E1_8, E1_16 low, E1_16 high.
  std::array<uint8_t, 4> scale{};
  /// Two codes a byte, the even element in the low nibble: a block's codes, or after 2:4 the half
  /// of them that was kept.
  std::array<uint8_t, 32> codes{};
};

/// What the quantizer makes of a block.
struct QuantizedBlock {
  BlockTag tag;
  PackedBlock dense;
  PackedBlock residual;  ///< where the job has one
  /// 2:4 metadata: the two positions of each quad (two_of_four_selector.hpp), two quads a byte, the
  /// even one in the low nibble.
  std::array<uint8_t, 8> indices{};
};

}  // namespace nibblecore::hw
