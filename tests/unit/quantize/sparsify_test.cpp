// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/sparsify.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/formats/dequantize.hpp"
#include "tests/support/random_matrix.hpp"

namespace nibblecore {
namespace {

/// Decoded values, [rows, k].
std::vector<float> decoded(const PackedMatrix& matrix) {
  std::vector<float> values(static_cast<size_t>(matrix.rows * matrix.k));
  dequantize(matrix, values.data());
  return values;
}

/// Positions of the `kept` largest of `sizes`, the lower one on a tie.
std::vector<size_t> largest(const std::vector<double>& sizes, size_t kept) {
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return sizes[a] > sizes[b]; });
  order.resize(kept);
  return order;
}

/// The group of a pattern that element (row, i) belongs to.
size_t group_of(ResidualPattern pattern, int64_t row, int64_t i, int64_t k) {
  if (pattern == ResidualPattern::kChannel50) {
    return static_cast<size_t>(i);
  }
  return static_cast<size_t>(row / 32 * ((k + 63) / 64) + i / 64);
}

/// The selection by its words, on decoded values. Sums of squares are exact in FP64 here.
std::vector<float> selected_values(const PackedMatrix& matrix, ResidualPattern pattern) {
  const std::vector<float> values = decoded(matrix);
  std::vector<float> kept(values.size());
  const int64_t k = matrix.k;
  const auto at = [&](int64_t row, int64_t i) { return static_cast<size_t>(row * k + i); };
  if (pattern == ResidualPattern::kTwoOfFour) {
    for (int64_t row = 0; row < matrix.rows; ++row) {
      for (int64_t quad = 0; quad < k; quad += 4) {
        std::vector<double> sizes;
        for (int64_t i = quad; i < std::min(k, quad + 4); ++i) {
          sizes.push_back(std::fabs(values[at(row, i)]));
        }
        for (const size_t i : largest(sizes, std::min<size_t>(2, sizes.size()))) {
          const size_t index = at(row, quad) + i;
          kept[index] = values[index];
        }
      }
    }
    return kept;
  }
  const size_t groups = group_of(pattern, matrix.rows - 1, k - 1, k) + 1;
  std::vector<double> sums(groups);
  for (int64_t row = 0; row < matrix.rows; ++row) {
    for (int64_t i = 0; i < k; ++i) {
      const double value = values[at(row, i)];
      sums[group_of(pattern, row, i, k)] += value * value;
    }
  }
  const std::vector<size_t> chosen = largest(sums, groups / 2);
  for (int64_t row = 0; row < matrix.rows; ++row) {
    for (int64_t i = 0; i < k; ++i) {
      if (std::count(chosen.begin(), chosen.end(), group_of(pattern, row, i, k)) != 0) {
        kept[at(row, i)] = values[at(row, i)];
      }
    }
  }
  return kept;
}

TEST(Sparsify, DecodedValuesAreThoseTheDefinitionSelects) {
  std::mt19937 random(1);
  for (const BlockFormat& format : kBlockFormats) {
    for (const auto& [rows, k] :
         {std::pair<int64_t, int64_t>{1, 4}, {3, 70}, {70, 200}, {33, 65}}) {
      const PackedMatrix matrix = test::random_matrix(format, rows, k, random);
      for (const ResidualPattern pattern :
           {ResidualPattern::kTwoOfFour, ResidualPattern::kChannel50,
            ResidualPattern::kBlock32x64At50}) {
        // Equal as numbers: whether a zero that is kept has a sign makes no difference.
        EXPECT_EQ(decoded(sparsify(matrix, pattern, 1)), selected_values(matrix, pattern))
            << format.name << ", " << name_of(pattern) << ", " << rows << " x " << k;
      }
    }
  }
}

TEST(Sparsify, KeepsCodesOrMakesThemPlusZeroAndLeavesTheRest) {
  std::mt19937 random(2);
  for (const BlockFormat& format : kBlockFormats) {
    PackedMatrix matrix = test::random_matrix(format, 40, 130, random);
    matrix.tensor_scale = 3;
    for (const ResidualPatternRecord& record : kResidualPatterns) {
      if (record.pattern == ResidualPattern::kNone) {
        continue;
      }
      const PackedMatrix selected = sparsify(matrix, record.pattern, 2);
      EXPECT_EQ(selected.scales, matrix.scales);
      EXPECT_EQ(selected.tensor_scale, 3);
      EXPECT_EQ(selected.k, 130);
      int64_t zeroed = 0;
      for (int64_t row = 0; row < 40; ++row) {
        for (int64_t i = 0; i < 130; ++i) {
          const int code = packed_code(selected.row_codes(row), i);
          const int before = packed_code(matrix.row_codes(row), i);
          EXPECT_TRUE(code == before || code == 0);
          zeroed += code == before ? 0 : 1;
        }
      }
      const bool dense = record.pattern == ResidualPattern::kDense;
      EXPECT_EQ(zeroed == 0, dense) << record.name;
    }
  }
}

TEST(Sparsify, NanBlocksStayNan) {
  std::mt19937 random(3);
  for (const BlockFormat& format : kBlockFormats) {
    PackedMatrix matrix = test::random_matrix(format, 33, 65, random);
    const auto nan = static_cast<uint8_t>(format.scale == ScaleKind::kUe4m3 ? 0x7F : 0xFF);
    const int64_t blocks = matrix.blocks();
    for (const auto& [row, block] :
         {std::pair<int64_t, int64_t>{0, 0}, {32, 0}, {32, blocks - 1}}) {
      matrix.row_scales(row)[block * format.scale_bytes()] = nan;
    }
    for (const ResidualPatternRecord& record : kResidualPatterns) {
      if (record.pattern == ResidualPattern::kNone) {
        continue;
      }
      const std::vector<float> values = decoded(sparsify(matrix, record.pattern, 1));
      for (int64_t row = 0; row < 33; ++row) {
        for (int64_t i = 0; i < 65; ++i) {
          const int64_t block = i / format.block;
          const bool is_nan =
              (row == 0 && block == 0) || (row == 32 && (block == 0 || block == blocks - 1));
          EXPECT_EQ(std::isnan(values[static_cast<size_t>(row * 65 + i)]), is_nan)
              << record.name << ", " << row << ", " << i;
        }
      }
    }
  }
}

TEST(Sparsify, NoneHasNothingToSelectFrom) {
  EXPECT_THROW(sparsify(make_packed_matrix(kMxfp4, 1, 32), ResidualPattern::kNone, 1),
               InternalError);
}

TEST(Sparsify, EmptyMatrices) {
  for (const ResidualPatternRecord& record : kResidualPatterns) {
    if (record.pattern != ResidualPattern::kNone) {
      EXPECT_EQ(sparsify(make_packed_matrix(kHif4, 0, 64), record.pattern, 1).k, 64);
      EXPECT_EQ(sparsify(make_packed_matrix(kHif4, 2, 0), record.pattern, 1).rows, 2);
    }
  }
}

}  // namespace
}  // namespace nibblecore
