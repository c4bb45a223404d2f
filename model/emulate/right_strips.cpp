// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/right_strips.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "model/common/checked.hpp"
#include "model/common/parallel.hpp"
#include "model/emulate/tile_kernels.hpp"

namespace nibblecore {
namespace {

constexpr int kLongestBlock = 64;
constexpr int kQuad = 4;  // elements that one lane of a dot-product instruction takes in

using BlockElements = std::array<uint8_t, kLongestBlock>;

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
  for (int64_t lane = 0; lane < kStripColumns; ++lane) {
    if (first + lane < matrix.rows) {
      decode_column(matrix, expander, first + lane);
    } else {
      clear_column(strip, lane);
    }
  }
  for (int64_t block = 0; block < blocks_; ++block) {
    ScaleRange& range = ranges_[static_cast<size_t>(strip * blocks_ + block)];
    for (int64_t lane = 0; lane < kStripColumns; ++lane) {
      range.include(scales(strip, block)[lane]);
    }
  }
}

void RightStrips::decode_column(const PackedMatrix& matrix, const CodeExpander& expander,
                                int64_t column) {
  const ScaleNumbers& numbers = scale_numbers(matrix.format.scale);
  const int64_t scale_bytes = matrix.format.scale_bytes();
  const uint8_t* codes = matrix.row_codes(column);
  const uint8_t* scale = matrix.row_scales(column);
  BlockElements elements;
  for (int64_t block = 0; block < blocks_; ++block) {
    expander.expand(codes, scale, elements.data());
    put(column / kStripColumns, block, column % kStripColumns, elements.data(), numbers[*scale]);
    codes += length_ / 2;
    scale += scale_bytes;
  }
}

void RightStrips::clear_column(int64_t strip, int64_t lane) {
  const BlockElements zeros{};
  for (int64_t block = 0; block < blocks_; ++block) {
    put(strip, block, lane, zeros.data(), 0.0F);
  }
}

void RightStrips::put(int64_t strip, int64_t block, int64_t lane, const uint8_t* elements,
                      float scale) {
  const int64_t index = strip * blocks_ + block;
  int8_t* to = elements_.data() + index * kStripColumns * length_ + lane * kQuad;
  int32_t sum = 0;
  for (int64_t k = 0; k < length_; k += kQuad) {
    std::memcpy(to + k * kStripColumns, elements + k, kQuad);
  }
  for (int64_t k = 0; k < length_; ++k) {
    sum += static_cast<int8_t>(elements[k]);
  }
  scales_.data()[index * kStripColumns + lane] = scale;
  starts_.data()[index * kStripColumns + lane] = -bias_of_a_ * sum;
}

}  // namespace nibblecore
