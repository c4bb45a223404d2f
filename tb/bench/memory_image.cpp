// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/memory_image.hpp"

#include <algorithm>
#include <cstring>

#include "model/common/checked.hpp"
#include "model/formats/residual.hpp"
#include "model/machine/program_sizes.hpp"
#include "tb/bench/factor_code.hpp"

namespace nibblecore::tb {
namespace {

/// Rows and columns along K of one piece of an operand.
struct Piece {
  int64_t first_row;
  int64_t rows;
  int64_t first_block;
  int64_t blocks;
  int64_t k;
};

uint8_t* write_packed(const PackedMatrix& matrix, const Piece& piece, uint8_t* to) {
  const int64_t code_bytes = matrix.format.block / 2;
  const int64_t scale_bytes = matrix.format.scale_bytes();
  for (int64_t row = piece.first_row; row < piece.first_row + piece.rows; ++row) {
    to = std::copy_n(matrix.row_codes(row) + piece.first_block * code_bytes,
                     piece.blocks * code_bytes, to);
  }
  for (int64_t row = piece.first_row; row < piece.first_row + piece.rows; ++row) {
    to = std::copy_n(matrix.row_scales(row) + piece.first_block * scale_bytes,
                     piece.blocks * scale_bytes, to);
  }
  return to;
}

uint8_t* write_input(const MatrixView& view, const Piece& piece, int block, uint8_t* to) {
  const size_t width = view.type == ValueType::kBf16 ? 2 : 4;
  const auto* from = static_cast<const uint8_t*>(view.data);
  for (int64_t row = piece.first_row; row < piece.first_row + piece.rows; ++row) {
    for (int64_t i = 0; i < piece.k; ++i) {
      const int64_t k = piece.first_block * block + i;
      const int64_t index = row * view.row_stride + k * view.k_stride;
      std::memcpy(to, from + index * static_cast<int64_t>(width), width);
      to += width;
    }
  }
  return to;
}

void set_bit(uint8_t* bits, int64_t index) {
  bits[index / 8] = static_cast<uint8_t>(bits[index / 8] | (1U << (index % 8)));
}

void write_mask(const GemmSpec& spec, const std::vector<uint8_t>& mask, const Piece& piece,
                uint8_t* to) {
  const int64_t first_k = piece.first_block * spec.format.block;
  if (spec.residual == ResidualPattern::kChannel50) {
    for (int64_t i = 0; i < piece.k; ++i) {
      if (mask.at(static_cast<size_t>(first_k + i)) != 0) {
        set_bit(to, i);
      }
    }
  } else if (spec.residual == ResidualPattern::kBlock32x64At50) {
    const int64_t tile_columns = ceil_divide(spec.k, kResidualTileChannels);
    const int64_t piece_columns = ceil_divide(piece.k, kResidualTileChannels);
    for (int64_t row = 0; row < ceil_divide(piece.rows, kResidualTileRows); ++row) {
      for (int64_t column = 0; column < piece_columns; ++column) {
        const int64_t index = (piece.first_row / kResidualTileRows + row) * tile_columns +
                              first_k / kResidualTileChannels + column;
        if (mask.at(static_cast<size_t>(index)) != 0) {
          set_bit(to, row * piece_columns + column);
        }
      }
    }
  }
}

uint8_t* write_factors(const MacroScales& macro, int64_t all_k, const Piece& piece, int block,
                       uint8_t* to) {
  const int64_t stride = ceil_divide(all_k, macro.length);
  const int64_t first = piece.first_block * block / macro.length;
  for (int64_t row = piece.first_row; row < piece.first_row + piece.rows; ++row) {
    for (int64_t i = 0; i < ceil_divide(piece.k, macro.length); ++i) {
      const uint16_t code =
          factor_code(macro.factors.at(static_cast<size_t>(row * stride + first + i)));
      *to++ = static_cast<uint8_t>(code);
      *to++ = static_cast<uint8_t>(code >> 8);
    }
  }
  return to;
}

uint8_t* write_piece(const CoreOperand& operand, const Piece& piece, int block, uint8_t* to) {
  if (operand.packed == nullptr) {
    return write_input(*operand.input, piece, block, to);  // which has no macro scales
  }
  to = write_packed(*operand.packed, piece, to);
  return operand.macro == nullptr
             ? to
             : write_factors(*operand.macro, operand.packed->k, piece, block, to);
}

/// Result values [region rows, region columns] to their places.
void read_region(const Program& program, const ChunkIndex& index, const ChunkBody& body,
                 const uint8_t* from, uint32_t* d) {
  const int64_t n = program.spec().n;
  const bool wide = program.spec().output == OutputWidth::kFp32;
  for (int64_t row = 0; row < body.rows; ++row) {
    uint32_t* to = d + (program.first_row(index) + row) * n + program.first_column(index);
    for (int64_t column = 0; column < body.columns; ++column) {
      const int64_t at = row * body.columns + column;
      if (wide) {
        std::memcpy(to + column, from + at * 4, 4);
      } else {
        uint16_t bits = 0;
        std::memcpy(&bits, from + at * 2, 2);
        to[column] = uint32_t{bits} << 16;
      }
    }
  }
}

}  // namespace

MemoryImage::MemoryImage(const Program& program, const CoreGemm& gemm) {
  const GemmSpec& spec = program.spec();
  const char* place = "bytes of a GEMM in memory";
  const int64_t b_first = program.a_image_bytes();
  const int64_t start_first = checked_add(b_first, program.b_image_bytes(), place);
  const int64_t store_first = checked_add(start_first, program.start_image_bytes(), place);
  bytes_.resize(static_cast<size_t>(checked_add(store_first, program.store_image_bytes(), place)));
  b_address_ = static_cast<uint64_t>(b_first);
  start_address_ = static_cast<uint64_t>(start_first);
  store_address_ = static_cast<uint64_t>(store_first);

  ChunkIndex index;
  do {
    const ChunkBody body = program.body(index);
    if (index.inner == 0 || program.tiling().loop_order == LoopOrder::kColumnsOuter) {
      const Piece piece{program.first_row(index), body.rows, program.first_block(index),
                        body.blocks, body.k};
      uint8_t* to = bytes_.data() + program.a_offset(index);
      uint8_t* mask = write_piece(gemm.a, piece, spec.format.block, to);
      write_mask(spec, gemm.a.mask, piece, mask);
    }
    if (index.inner == 0 || program.tiling().loop_order == LoopOrder::kRowsOuter) {
      write_piece(gemm.b,
                  {program.first_column(index), body.columns, program.first_block(index),
                   body.blocks, body.k},
                  spec.format.block, bytes_.data() + b_first + program.b_offset(index));
    }
    if (body.start_bytes > 0) {
      uint8_t* to = bytes_.data() + start_first + program.start_offset(index);
      for (int64_t row = 0; row < body.rows; ++row) {
        std::memcpy(
            to + row * body.columns * 4,
            gemm.c + (program.first_row(index) + row) * spec.n + program.first_column(index),
            static_cast<size_t>(body.columns) * 4);
      }
    }
  } while (advance(program, index));
}

void MemoryImage::read_result(const Program& program, const std::vector<uint8_t>& stored,
                              uint32_t* d) {
  ChunkIndex index;
  do {
    const ChunkBody body = program.body(index);
    if (body.last_of_region) {
      read_region(program, index, body, stored.data() + program.store_offset(index), d);
    }
  } while (advance(program, index));
}

}  // namespace nibblecore::tb
