// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// Smallest and largest of some scales, zeros and NaNs left out (their blocks add zero or NaN,
/// whatever the size); 1 to 1 where nothing is left.
struct ScaleRange {
  float smallest = 1.0F;
  float largest = 1.0F;
};

/// An operand decoded once, cut into strips of `width` rows that lie side by side: for every k the
/// elements of the strip's rows are neighbours, so that one vector operation serves many of them.
/// Rows past the end are zeros under scale 0.
///
/// Elements are integers: doubled E2M1 (|.| <= 12), or quarters of HiF4 shifted by both
/// micro-exponents (|.| <= 28). What they were multiplied by is divided out of the scales, so that
/// block value = integer dot * scale_a * scale_b.
class OperandStrips {
 public:
  /// Decodes `matrix` on up to `threads` threads.
  OperandStrips(const PackedMatrix& matrix, int width, int threads);

  int64_t strips() const { return strips_; }
  /// Elements of one block of one strip: [block, width].
  const int16_t* elements(int64_t strip, int64_t block) const {
    return elements_.data() + (strip * blocks_ + block) * block_length_ * width_;
  }
  /// Scales of one block of one strip: [width]. NaN where the code is NaN.
  const float* scales(int64_t strip, int64_t block) const {
    return scales_.data() + (strip * blocks_ + block) * width_;
  }
  /// Range of those scales.
  const ScaleRange& range(int64_t strip, int64_t block) const {
    return ranges_[static_cast<size_t>(strip * blocks_ + block)];
  }

 private:
  void decode_row(const PackedMatrix& matrix, int64_t row);

  int64_t width_;
  int64_t strips_;
  int64_t blocks_;
  int64_t block_length_;
  std::vector<int16_t> elements_;
  std::vector<float> scales_;
  std::vector<ScaleRange> ranges_;
};

}  // namespace nibblecore
