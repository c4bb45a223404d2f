// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "model/emulate/scale_numbers.hpp"
#include "model/formats/block_format.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// The BF16 bits of the sixteen E2M1 codes times a scale.
using Bf16Elements = std::array<uint16_t, 16>;

/// Those of every scale code; NaN throughout where the scale is. A product that BF16 does not hold
/// (fits_bf16) is of no use.
const std::array<Bf16Elements, 256>& bf16_elements(ScaleKind kind);

/// Range of the scales of all blocks that have an element other than zero: what the scale of the
/// other blocks is does not matter, as long as it is a number. Scales are those of scale_numbers.
ScaleRange range_of_elements(const PackedMatrix& matrix);

/// Whether elements times their scales are normal BF16 numbers, and every sum of products of a
/// block is a normal FP32 number or zero, in whatever order and number of roundings it is added.
///
/// Elements are integers of at most 12 under these scales, of two significant bits; a scale has
/// four at most: six of BF16's eight. All products are multiples of the product of both scales,
/// and so is every sum of them, at most 4608 times that: 13 bits more than the scales' eight, of
/// FP32's 24. The multiples must not be subnormal, since the tile unit takes such numbers for zero
/// (Intel SDM, TDPBF16PS).
bool fits_bf16(const ScaleRange& a, const ScaleRange& b);

}  // namespace nibblecore
