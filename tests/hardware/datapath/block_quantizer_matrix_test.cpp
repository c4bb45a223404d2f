// SPDX-License-Identifier: Apache-2.0
// Whole operands, block by block through the circuit, against the golden quantizer, residual and
// selection.
#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hw/datapath/quantizer_job.hpp"
#include "model/common/bits.hpp"
#include "model/quantize/largest_half.hpp"
#include "model/quantize/quantize.hpp"
#include "model/quantize/residual.hpp"
#include "model/quantize/sparsify.hpp"

namespace nibblecore::hw {
namespace {

struct Shape {
  int64_t rows;
  int64_t k;
};
// Ends inside a quad, a block, a tile; one row, one channel, two row tiles and more.
constexpr std::array<Shape, 7> kShapes{
    {{37, 131}, {65, 66}, {1, 17}, {33, 1}, {3, 300}, {70, 64}, {32, 193}}};

enum class Content { kOrdinary, kWithNonFinite, kHuge, kTiny };
constexpr std::array<Content, 4> kContents{Content::kOrdinary, Content::kWithNonFinite,
                                           Content::kHuge, Content::kTiny};

std::vector<float> random_values(const Shape& shape, Content content, std::mt19937& random) {
  std::normal_distribution<float> normal(0.0F, 1.0F);
  std::vector<float> values(static_cast<size_t>(shape.rows * shape.k));
  for (float& value : values) {
    value = normal(random) * (random() % 50 == 0 ? 40.0F : 1.0F);
    if (content == Content::kHuge) {
      value *= 0x1p122F;
    } else if (content == Content::kTiny) {
      value *= 0x1p-140F;
    } else if (random() % 16 == 0) {
      value = random() % 2 == 0 ? 0.0F : -0.0F;
    }
  }
  if (content == Content::kWithNonFinite) {
    // An infinity leaves NVFP4's other blocks to a tensor scale of 1; one NaN would be in all.
    values[random() % values.size()] = -std::numeric_limits<float>::infinity();
  }
  return values;
}

/// The golden quantizer's matrices, and the selection's mask.
struct Golden {
  PackedMatrix dense;
  PackedMatrix selected;
  std::vector<uint8_t> channels;  ///< flags, kChannel50
  std::vector<uint8_t> tiles;     ///< flags, kBlock32x64At50
};

Golden golden(const MatrixView& input, const Preset& preset, ResidualPattern pattern) {
  Golden result;
  result.dense = quantize(input, preset, 1);
  const PackedMatrix residual = quantize_residual(input, result.dense, preset, 1);
  result.selected = sparsify(residual, pattern, 1);
  result.channels = largest_channels(residual, 1);
  result.tiles = largest_tiles(residual, 1);
  return result;
}

/// Whether the pattern's mask keeps an element.
bool is_kept(const Golden& expected, ResidualPattern pattern, int64_t row, int64_t channel) {
  if (pattern == ResidualPattern::kChannel50) {
    return expected.channels[static_cast<size_t>(channel)] != 0;
  }
  if (pattern == ResidualPattern::kBlock32x64At50) {
    const int64_t tile_columns = (expected.dense.k + 63) / 64;
    return expected.tiles[static_cast<size_t>(row / 32 * tile_columns + channel / 64)] != 0;
  }
  return true;
}

/// A block as it is loaded: values, zeros past K, and its part of the mask.
UnquantizedBlock load(const MatrixView& input, const Golden& expected, ResidualPattern pattern,
                      const BlockTag& tag) {
  std::vector<float> row(static_cast<size_t>(input.k));
  load_row(input, tag.row, row.data());
  const int64_t first = tag.block * expected.dense.format.block;
  const int64_t count = std::min<int64_t>(expected.dense.format.block, input.k - first);
  UnquantizedBlock block;
  block.tag = tag;
  for (int64_t i = 0; i < count; ++i) {
    block.values[static_cast<size_t>(i)] = float_bits(row[static_cast<size_t>(first + i)]);
    if (!is_kept(expected, pattern, tag.row, first + i)) {
      block.keep ^= uint64_t{1} << i;
    }
  }
  return block;
}

/// The residual's codes, one a byte; after 2:4 the kept ones in their places.
std::vector<uint8_t> residual_codes(const QuantizedBlock& block, int64_t size,
                                    ResidualPattern pattern) {
  std::vector<uint8_t> codes(static_cast<size_t>(size));
  if (pattern != ResidualPattern::kTwoOfFour) {
    for (int64_t i = 0; i < size; ++i) {
      codes[static_cast<size_t>(i)] = packed_code(block.residual.codes.data(), i);
    }
    return codes;
  }
  for (int64_t kept = 0; kept < size / 2; ++kept) {
    const int64_t quad = kept / 2;
    const int indices = packed_code(block.indices.data(), quad);
    const int place = kept % 2 == 0 ? indices & 3 : indices >> 2;
    codes[static_cast<size_t>(4 * quad + place)] = packed_code(block.residual.codes.data(), kept);
  }
  return codes;
}

testing::AssertionResult equals_golden(const QuantizedBlock& block, const Golden& expected,
                                       ResidualPattern pattern) {
  const BlockFormat& format = expected.dense.format;
  const auto failure = [&](const char* what, int64_t place) {
    return testing::AssertionFailure()
           << what << ' ' << place << " of row " << block.tag.row << ", block " << block.tag.block;
  };
  const int64_t first_scale = block.tag.block * format.scale_bytes();
  for (int64_t i = 0; i < format.scale_bytes(); ++i) {
    const auto byte = static_cast<size_t>(i);
    if (block.dense.scale.at(byte) != expected.dense.row_scales(block.tag.row)[first_scale + i]) {
      return failure("dense scale", i);
    }
    if (block.residual.scale.at(byte) !=
        expected.selected.row_scales(block.tag.row)[first_scale + i]) {
      return failure("residual scale", i);
    }
  }
  const std::vector<uint8_t> residual = residual_codes(block, format.block, pattern);
  const int64_t first = block.tag.block * format.block;
  for (int64_t i = 0; i < format.block && first + i < expected.dense.k; ++i) {
    if (packed_code(block.dense.codes.data(), i) !=
        packed_code(expected.dense.row_codes(block.tag.row), first + i)) {
      return failure("dense code", i);
    }
    if (residual[static_cast<size_t>(i)] !=
        packed_code(expected.selected.row_codes(block.tag.row), first + i)) {
      return failure("residual code", i);
    }
  }
  return testing::AssertionSuccess();
}

std::vector<Preset> presets_in_circuits() {
  std::vector<Preset> result;
  std::copy_if(presets().begin(), presets().end(), std::back_inserter(result), has_circuit);
  return result;
}

class BlockQuantizerMatrix : public testing::TestWithParam<Preset> {};

TEST_P(BlockQuantizerMatrix, EqualsTheGoldenSelectionUnderEveryPattern) {
  const Preset& preset = GetParam();
  std::mt19937 random(19);
  for (const Shape& shape : kShapes) {
    for (const Content content : kContents) {
      const std::vector<float> values = random_values(shape, content, random);
      const MatrixView input = row_major_view(values.data(), shape.rows, shape.k);
      const Nvfp4TensorScale scale = tensor_scale(input, preset, 1);
      for (const ResidualPatternRecord& record : kResidualPatterns) {
        if (record.pattern == ResidualPattern::kNone) {
          continue;
        }
        const Golden expected = golden(input, preset, record.pattern);
        const QuantizerJob job = quantizer_job(
            preset, record.pattern, {float_bits(scale.encode), float_bits(scale.decode)});
        for (int64_t row = 0; row < shape.rows; ++row) {
          for (int64_t i = 0; i < expected.dense.blocks(); ++i) {
            const UnquantizedBlock block = load(input, expected, record.pattern, {row, i});
            ASSERT_TRUE(equals_golden(quantize_block(block, job), expected, record.pattern))
                << record.name << ", " << shape.rows << " x " << shape.k << ", content "
                << static_cast<int>(content);
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Presets, BlockQuantizerMatrix, testing::ValuesIn(presets_in_circuits()),
                         [](const testing::TestParamInfo<Preset>& test) {
                           return test.param.name;
                         });

}  // namespace
}  // namespace nibblecore::hw
