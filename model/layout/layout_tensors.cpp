// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layout_tensors.hpp"

#include "model/common/checked.hpp"

namespace nibblecore {
namespace {

/// Blocks of a GGUF record: 64 elements of NVFP4, 32 of MXFP4.
int64_t record_blocks(const BlockFormat& format) {
  return format.scale == ScaleKind::kUe4m3 ? 64 / format.block : 1;
}

}  // namespace

BlockGrid block_grid(const Layout& layout, const BlockFormat& format, int64_t rows, int64_t k,
                     const std::string& place) {
  const std::string name(layout.name);
  if (!layout.formats.contains(format)) {
    throw InputError(place, "layout " + name + " is none of " + std::string(format.name) +
                                " (known: " + layout_names(format) + ")");
  }
  if (rows < 0 || k < 0) {
    throw InputError(place, "sizes must not be negative");
  }
  // No tensor but padded tiles takes more than a byte an element of whole blocks.
  checked_multiply(rows, checked_add(k, 64, place), place);
  BlockGrid grid;
  grid.rows = rows;
  grid.blocks = ceil_divide(k, format.block);
  grid.code_bytes = code_bytes(layout.codes, format.block);
  grid.scale_bytes = format.scale_bytes();
  if (layout.code_place == CodePlace::kInRecords) {
    grid.record = record_blocks(format);
    const int64_t elements = grid.record * format.block;
    if (k % elements != 0) {
      throw InputError(place, "rows of " + std::to_string(k) +
                                  " elements do not divide into records of " +
                                  std::to_string(elements) + " (layout " + name + ")");
    }
  }
  return grid;
}

std::vector<LayoutTensor> layout_tensors(const Layout& layout, const BlockGrid& grid) {
  const std::vector<int64_t> codes = code_shape(layout.code_place, grid);
  if (layout.code_place == CodePlace::kInRecords) {
    return {{"blocks", RowAxis::kFirst, codes, {}}};
  }
  const bool tiled =
      layout.scale_place == ScalePlace::kSwizzle128x4 || layout.scale_place == ScalePlace::kCells16;
  return {{"codes",
           layout.code_place == CodePlace::kColumns ? RowAxis::kElsewhere : RowAxis::kFirst,
           codes,
           {}},
          {"scales",
           tiled ? RowAxis::kElsewhere : RowAxis::kFirst,
           scale_shape(layout.scale_place, grid),
           {}}};
}

int64_t shape_bytes(const std::vector<int64_t>& shape, const std::string& place) {
  int64_t bytes = 1;
  for (const int64_t axis : shape) {
    bytes = checked_multiply(bytes, axis, place);
  }
  return bytes;
}

}  // namespace nibblecore
