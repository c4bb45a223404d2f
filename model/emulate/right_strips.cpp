// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/right_strips.hpp"

#include <algorithm>
#include <array>

#include <emmintrin.h>

#include "model/common/checked.hpp"
#include "model/common/parallel.hpp"
#include "model/emulate/tile_kernels.hpp"

namespace nibblecore {
namespace {

constexpr int kQuad = 4;     // elements that one lane of a dot-product instruction takes in
constexpr int kPiece = 16;   // elements of a column that are turned at a time
constexpr int kColumns = 4;  // with those of so many neighbours
constexpr int kLine = 128;   // elements of a cache line of codes

/// A line's worth of elements of some neighbouring columns.
using ColumnLines = std::array<std::array<uint8_t, kLine>, kColumns>;

/// Writes quads of four columns side by side: a transposition of four by four quads.
void turn_piece(const ColumnLines& lines, int64_t k, int8_t* to) {
  const auto load = [&](size_t column) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(lines[column].data() + k));
  };
  const __m128i low01 = _mm_unpacklo_epi32(load(0), load(1));
  const __m128i low23 = _mm_unpacklo_epi32(load(2), load(3));
  const __m128i high01 = _mm_unpackhi_epi32(load(0), load(1));
  const __m128i high23 = _mm_unpackhi_epi32(load(2), load(3));
  const auto store = [&](int quad, __m128i columns) {
    _mm_store_si128(reinterpret_cast<__m128i*>(to + quad * kStripColumns * kQuad), columns);
  };
  store(0, _mm_unpacklo_epi64(low01, low23));
  store(1, _mm_unpackhi_epi64(low01, low23));
  store(2, _mm_unpacklo_epi64(high01, high23));
  store(3, _mm_unpackhi_epi64(high01, high23));
}

/// The sum of a block's signed elements.
int32_t sum_of(const uint8_t* elements, int64_t length) {
  // Sums of absolute differences from zero, of bytes made unsigned.
  const __m128i half = _mm_set1_epi8(static_cast<char>(0x80));
  __m128i sums = _mm_setzero_si128();
  for (int64_t k = 0; k < length; k += kPiece) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(elements + k));
    sums = _mm_add_epi64(sums, _mm_sad_epu8(_mm_xor_si128(bytes, half), _mm_setzero_si128()));
  }
  const __m128i high = _mm_unpackhi_epi64(sums, sums);
  return _mm_cvtsi128_si32(_mm_add_epi64(sums, high)) - 0x80 * static_cast<int32_t>(length);
}

}  // namespace

RightStrips::RightStrips(const PackedMatrix& matrix, EmulatorTarget target, int threads)
    : strips_(ceil_divide(matrix.rows, kStripColumns)),
      blocks_(matrix.blocks()),
      length_(matrix.format.block),
      bias_of_a_(tile_kernels(target, matrix.format.block).a_form == ElementForm::kBiased
                     ? largest_element(matrix.format.element)
                     : 0),
      ranges_(static_cast<size_t>(strips_ * blocks_)) {
  const int64_t columns = checked_multiply(strips_, kStripColumns, "columns");
  const int64_t scales = checked_multiply(columns, blocks_, "scales");
  elements_ = AlignedBuffer<int8_t>(checked_multiply(scales, length_, "decoded operand"));
  scales_ = AlignedBuffer<float>(scales);
  starts_ = AlignedBuffer<int32_t>(scales);
  const CodeExpander expander(matrix.format, ElementForm::kSigned, target);
  parallel_for(strips_, 1, threads, [&](int64_t begin, int64_t end) {
    for (int64_t strip = begin; strip < end; ++strip) {
      decode_strip(matrix, expander, strip);
    }
  });
  for (const ScaleRange& range : ranges_) {
    range_.include(range);
  }
}

void RightStrips::decode_strip(const PackedMatrix& matrix, const CodeExpander& expander,
                               int64_t strip) {
  const int64_t first = strip * kStripColumns;
  const int64_t some = blocks_of_line(length_);
  // A line of every column after the other: what is written meanwhile stays in a cache.
  for (int64_t block = 0; block < blocks_; block += some) {
    const int64_t end = std::min(blocks_, block + some);
    fetch_to_write(elements(strip, end), elements(strip, std::min(blocks_, end + some)));
    for (int64_t lane = 0; lane < kStripColumns; lane += kColumns) {
      decode_columns(matrix, expander, first + lane, block, end);
    }
  }
  for (int64_t block = 0; block < blocks_; ++block) {
    ranges_[static_cast<size_t>(strip * blocks_ + block)] =
        range_of(scales(strip, block), kStripColumns);
  }
}

void RightStrips::decode_columns(const PackedMatrix& matrix, const CodeExpander& expander,
                                 int64_t column, int64_t block, int64_t end) {
  const ScaleNumbers& numbers = scale_numbers(matrix.format.scale);
  const int64_t scale_bytes = matrix.format.scale_bytes();
  const int64_t first = column / kStripColumns * blocks_ + block;
  const int64_t lane = column % kStripColumns;
  ColumnLines lines;
  for (int64_t i = 0; i < kColumns; ++i) {
    uint8_t* line = lines[static_cast<size_t>(i)].data();
    const int64_t index = first * kStripColumns + lane + i;
    if (column + i < matrix.rows) {
      const uint8_t* scale = matrix.row_scales(column + i) + block * scale_bytes;
      const uint8_t* codes = matrix.row_codes(column + i) + block * length_ / 2;
      fetch_next_lines(codes);
      expander.expand(codes, scale, end - block, line, length_);
      for (int64_t j = 0; j < end - block; ++j) {
        scales_.data()[index + j * kStripColumns] = numbers[scale[j * scale_bytes]];
        starts_.data()[index + j * kStripColumns] =
            bias_of_a_ == 0 ? 0 : -bias_of_a_ * sum_of(line + j * length_, length_);
      }
    } else {
      std::fill_n(line, kLine, uint8_t{0});
      for (int64_t j = 0; j < end - block; ++j) {
        scales_.data()[index + j * kStripColumns] = 0.0F;
        starts_.data()[index + j * kStripColumns] = 0;
      }
    }
  }
  int8_t* to = elements_.data() + first * kStripColumns * length_ + lane * kQuad;
  for (int64_t k = 0; k < (end - block) * length_; k += kPiece) {
    turn_piece(lines, k, to + k * kStripColumns);
  }
}

}  // namespace nibblecore
