// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/operand_strips.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "model/common/checked.hpp"
#include "model/common/parallel.hpp"
#include "model/formats/e2m1.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/s1p2.hpp"
#include "model/formats/ue4m3.hpp"

namespace nibblecore {
namespace {

using ScaleTable = std::array<float, 256>;
using ElementTable = std::array<int16_t, 16>;

/// The number behind every scale code, times 2^-exponent_of_unit.
ScaleTable scale_table(const NumberFormat& format, int exponent_of_unit) {
  ScaleTable table{};
  for (uint32_t code = 0; code < table.size(); ++code) {
    const ExactNumber number = decode(format, code);
    table[code] = number.is_nan ? std::numeric_limits<float>::quiet_NaN()
                                : std::ldexp(static_cast<float>(number.significand),
                                             number.exponent - exponent_of_unit);
  }
  return table;
}

const ScaleTable& scale_table(ScaleKind kind) {
  // E2M1 elements are doubled, S1P2 elements are quarters.
  static const ScaleTable e8m0_halves = scale_table(kE8m0Format, 1);
  static const ScaleTable ue4m3_halves = scale_table(kUe4m3Format, 1);
  static const ScaleTable e6m2_quarters = scale_table(kE6m2Format, 2);
  switch (kind) {
    case ScaleKind::kE8m0:
      return e8m0_halves;
    case ScaleKind::kUe4m3:
      return ue4m3_halves;
    case ScaleKind::kHif4:
      return e6m2_quarters;
  }
  return e8m0_halves;
}

const ElementTable& doubled_e2m1() {
  static const ElementTable table = [] {
    ElementTable wide{};
    std::copy(kE2m1Doubled.begin(), kE2m1Doubled.end(), wide.begin());
    return wide;
  }();
  return table;
}

/// Quarters of every S1P2 code, shifted by 0, 1 and 2.
std::array<ElementTable, 3> make_shifted_quarters() {
  std::array<ElementTable, 3> tables{};
  for (size_t shift = 0; shift < tables.size(); ++shift) {
    for (uint32_t code = 0; code < 16; ++code) {
      tables[shift][code] = static_cast<int16_t>(s1p2_quarters(code) * (1 << shift));
    }
  }
  return tables;
}

/// Decodes packed codes to out[0], out[stride], ...
void decode_codes(const uint8_t* codes, int64_t count, const ElementTable& table, int16_t* out,
                  int64_t stride) {
  for (int64_t i = 0; i < count; i += 2) {
    const uint8_t byte = codes[i / 2];
    out[i * stride] = table[byte & 0xF];
    out[(i + 1) * stride] = table[byte >> 4];
  }
}

void decode_hif4_block(const uint8_t* codes, const uint8_t* scale, int16_t* out, int64_t stride) {
  static const std::array<ElementTable, 3> tables = make_shifted_quarters();
  const int level_3 = scale[2] | (scale[3] << 8);
  for (int64_t group = 0; group < 16; ++group) {
    const int shift = ((scale[1] >> (group / 2)) & 1) + ((level_3 >> group) & 1);
    decode_codes(codes + group * 2, 4, tables[static_cast<size_t>(shift)], out + group * 4 * stride,
                 stride);
  }
}

ScaleRange range_of(const float* scales, int64_t count) {
  ScaleRange range;
  bool found = false;
  for (int64_t i = 0; i < count; ++i) {
    if (scales[i] > 0) {  // neither zero nor NaN
      range.smallest = found ? std::min(range.smallest, scales[i]) : scales[i];
      range.largest = found ? std::max(range.largest, scales[i]) : scales[i];
      found = true;
    }
  }
  return range;
}

}  // namespace

OperandStrips::OperandStrips(const PackedMatrix& matrix, int width, int threads)
    : width_(width),
      strips_(ceil_divide(matrix.rows, width)),
      blocks_(matrix.blocks()),
      block_length_(matrix.format.block) {
  const std::string place = "decoded operand";
  const int64_t scales = checked_multiply(strips_ * width_, blocks_, place);
  elements_.resize(static_cast<size_t>(checked_multiply(scales, block_length_, place)));
  scales_.resize(static_cast<size_t>(scales));
  ranges_.resize(static_cast<size_t>(strips_ * blocks_));
  parallel_for(strips_, 1, threads, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin * width_; row < std::min(matrix.rows, end * width_); ++row) {
      decode_row(matrix, row);
    }
    for (int64_t i = begin * blocks_; i < end * blocks_; ++i) {
      ranges_[static_cast<size_t>(i)] = range_of(scales_.data() + i * width_, width_);
    }
  });
}

void OperandStrips::decode_row(const PackedMatrix& matrix, int64_t row) {
  const ScaleTable& scale_numbers = scale_table(matrix.format.scale);
  const int64_t strip = row / width_;
  const int64_t lane = row % width_;
  for (int64_t block = 0; block < blocks_; ++block) {
    const int64_t index = strip * blocks_ + block;
    const uint8_t* codes = matrix.row_codes(row) + block * block_length_ / 2;
    const uint8_t* scale = matrix.row_scales(row) + block * matrix.format.scale_bytes();
    int16_t* out = elements_.data() + index * block_length_ * width_ + lane;
    scales_[static_cast<size_t>(index * width_ + lane)] = scale_numbers[*scale];
    if (matrix.format.element == ElementKind::kS1p2) {
      decode_hif4_block(codes, scale, out, width_);
    } else {
      decode_codes(codes, block_length_, doubled_e2m1(), out, width_);
    }
  }
}

}  // namespace nibblecore
