// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/layout/layout.hpp"

namespace nibblecore {

/// Whether the first axis of a tensor is the matrix's rows, or rows lie at another axis or are
/// spread over tiles.
enum class RowAxis { kFirst, kElsewhere };

/// One tensor of bytes of a matrix in some layout.
struct LayoutTensor {
  std::string_view name;  ///< "codes", "scales" or "blocks" (codes and scales in records)
  RowAxis rows = RowAxis::kFirst;
  std::vector<int64_t> shape;  ///< in bytes
  std::vector<uint8_t> bytes;  ///< row-major
};

/// Sizes of a matrix [rows, k] in a layout. InputError at `place` where the layout is of other
/// formats, k does not divide into its records, a size is negative or leaves 64 bits.
BlockGrid block_grid(const Layout& layout, const BlockFormat& format, int64_t rows, int64_t k,
                     const std::string& place);

/// The tensors of a layout, codes first, scales last, or blocks alone, without their bytes.
std::vector<LayoutTensor> layout_tensors(const Layout& layout, const BlockGrid& grid);

/// Bytes that a tensor of this shape takes; InputError at `place` where they leave 64 bits.
int64_t shape_bytes(const std::vector<int64_t>& shape, const std::string& place);

}  // namespace nibblecore
