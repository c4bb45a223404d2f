// SPDX-License-Identifier: Apache-2.0
#include "model/layout/laid_out_matrix.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

/// Calls body(row, block) for every block.
template <typename Body>
void for_each_block(const BlockGrid& grid, const Body& body) {
  for (int64_t row = 0; row < grid.rows; ++row) {
    for (int64_t block = 0; block < grid.blocks; ++block) {
      body(row, block);
    }
  }
}

/// True where a PackedMatrix has its codes in the order and place of the layout.
bool codes_as_packed(const Layout& layout) {
  return layout.codes == CodeOrder::kLowFirst && layout.code_place == CodePlace::kRows;
}

/// The same of scales.
bool scales_as_packed(const Layout& layout) {
  return layout.scale_place == ScalePlace::kRows && layout.word.position == kPtoWord.position &&
         layout.word.bits == kPtoWord.bits;
}

/// The 4 bytes of a HiF4 scale; of other formats, one byte and zeros.
using ScaleBytes = std::array<uint8_t, 4>;

void write_scales(const Layout& layout, const BlockGrid& grid, const PackedMatrix& packed,
                  uint8_t* bytes) {
  for_each_block(grid, [&](int64_t row, int64_t block) {
    ScaleBytes scale{};
    std::copy_n(packed.row_scales(row) + block * grid.scale_bytes, grid.scale_bytes, scale.begin());
    if (packed.format.scale == ScaleKind::kHif4) {
      scale = write_scale_word(layout.word, scale);
    }
    for (int64_t i = 0; i < grid.scale_bytes; ++i) {
      bytes[scale_offset(layout.scale_place, grid, row, block, i)] = scale[static_cast<size_t>(i)];
    }
  });
}

void read_scales(const Layout& layout, const BlockGrid& grid, const uint8_t* bytes,
                 PackedMatrix& packed) {
  for_each_block(grid, [&](int64_t row, int64_t block) {
    ScaleBytes scale{};
    for (int64_t i = 0; i < grid.scale_bytes; ++i) {
      scale[static_cast<size_t>(i)] = bytes[scale_offset(layout.scale_place, grid, row, block, i)];
    }
    if (packed.format.scale == ScaleKind::kHif4) {
      scale = read_scale_word(layout.word, scale);
    }
    std::copy_n(scale.begin(), grid.scale_bytes, packed.row_scales(row) + block * grid.scale_bytes);
  });
}

void check_tensors(const std::vector<LayoutTensor>& tensors,
                   const std::vector<LayoutTensor>& expected, const std::string& place) {
  const auto same = [&](const LayoutTensor& left, const LayoutTensor& right) {
    return left.name == right.name && left.shape == right.shape &&
           left.bytes.size() == static_cast<size_t>(shape_bytes(right.shape, place));
  };
  if (!std::equal(tensors.begin(), tensors.end(), expected.begin(), expected.end(), same)) {
    throw InputError(place, "names, shapes or sizes of the tensors are not those of the layout");
  }
}

}  // namespace

LaidOutMatrix lay_out(PackedMatrix packed, const Layout& layout, const std::string& place) {
  const BlockGrid grid = block_grid(layout, packed.format, packed.rows, packed.k, place);
  LaidOutMatrix matrix{&layout,  packed.format,       packed.rows,
                       packed.k, packed.tensor_scale, layout_tensors(layout, grid)};
  LayoutTensor& codes = matrix.tensors.front();
  LayoutTensor& scales = matrix.tensors.back();
  if (codes_as_packed(layout)) {
    codes.bytes = std::move(packed.codes);
  } else {
    codes.bytes.resize(static_cast<size_t>(shape_bytes(codes.shape, place)));
    for_each_block(grid, [&](int64_t row, int64_t block) {
      write_codes(layout.codes, packed.format.block,
                  packed.row_codes(row) + block * packed.format.block / 2,
                  codes.bytes.data() + code_offset(layout.code_place, grid, row, block));
    });
  }
  if (scales_as_packed(layout)) {
    scales.bytes = std::move(packed.scales);
  } else {
    scales.bytes.resize(static_cast<size_t>(shape_bytes(scales.shape, place)));
    write_scales(layout, grid, packed, scales.bytes.data());
  }
  return matrix;
}

PackedMatrix packed_matrix(const LaidOutMatrix& matrix, const std::string& place) {
  if (matrix.layout == nullptr) {
    throw InternalError("a laid-out matrix without a layout");
  }
  const Layout& layout = *matrix.layout;
  const BlockGrid grid = block_grid(layout, matrix.format, matrix.rows, matrix.k, place);
  check_tensors(matrix.tensors, layout_tensors(layout, grid), place);
  PackedMatrix packed = make_packed_matrix(matrix.format, matrix.rows, matrix.k);
  packed.tensor_scale = matrix.tensor_scale;
  const uint8_t* const codes = matrix.tensors.front().bytes.data();
  if (codes_as_packed(layout)) {
    packed.codes = matrix.tensors.front().bytes;
  } else {
    for_each_block(grid, [&](int64_t row, int64_t block) {
      read_codes(layout.codes, packed.format.block,
                 codes + code_offset(layout.code_place, grid, row, block),
                 packed.row_codes(row) + block * packed.format.block / 2, place);
    });
  }
  if (scales_as_packed(layout)) {
    packed.scales = matrix.tensors.back().bytes;
  } else {
    read_scales(layout, grid, matrix.tensors.back().bytes.data(), packed);
  }
  return packed;
}

}  // namespace nibblecore
