// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace nibblecore {

/// What one 4-bit code of a block is.
enum class ElementKind { kE2m1, kS1p2 };

/// How a block is scaled: one E8M0 byte, one UE4M3 byte, or HiF4's three levels in four bytes
/// (E6M2, E1_8, E1_16 groups 0..7, E1_16 groups 8..15; bit g of a byte = group g).
enum class ScaleKind { kE8m0, kUe4m3, kHif4 };

/// A block-scaled 4-bit format: `block` elements along K share one scale.
struct BlockFormat {
  std::string_view name;
  ElementKind element;
  ScaleKind scale;
  int block;

  /// Bytes of scale a block.
  constexpr int scale_bytes() const { return scale == ScaleKind::kHif4 ? 4 : 1; }
  /// Bits of a block, codes and scale (a tensor scale apart).
  constexpr int block_bits() const { return 4 * block + 8 * scale_bytes(); }
};

inline constexpr BlockFormat kMxfp4{"mxfp4", ElementKind::kE2m1, ScaleKind::kE8m0, 32};
inline constexpr BlockFormat kHif4{"hif4", ElementKind::kS1p2, ScaleKind::kHif4, 64};
inline constexpr BlockFormat kNvfp4{"nvfp4", ElementKind::kE2m1, ScaleKind::kUe4m3, 16};

/// The formats that have a name on the command line.
inline constexpr std::array<BlockFormat, 3> kBlockFormats{kMxfp4, kHif4, kNvfp4};

/// The format of this name; InputError naming the known ones otherwise.
const BlockFormat& block_format(std::string_view name);

/// The name of a kind of scale on the command line: ue8m0, ue4m3, hif4.
std::string_view scale_name(ScaleKind scale);

/// An element, scale and block length that need not be one of the named formats (block-scaled MMA
/// instructions offer E2M1 with E8M0 or UE4M3 per 16 or 32). InputError where they don't go
/// together: S1P2, the HiF4 scale and 64 belong to each other; E2M1 takes 16, 32 or 64.
BlockFormat make_block_format(std::string_view format_name, int block, std::string_view scale);

}  // namespace nibblecore
