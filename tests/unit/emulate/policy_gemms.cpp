// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/emulate/policy_gemms.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/fp16.hpp"
#include "model/reference/gemm.hpp"
#include "tests/unit/emulate/on_every_target.hpp"
#include "tests/unit/reference/packed_rows.hpp"

namespace nibblecore::test {
namespace {

constexpr std::array<uint32_t, 14> kSpecialStarts{
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x80800000,
    0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7F800001, 0xFFFFFFFF, 0x3F800000};

/// What the elements of a block look like.
enum class BlockLaw { kZero, kHalfZero, kSparse, kCancelling, kRandom };

uint32_t element(BlockLaw law, int64_t index, std::mt19937& random) {
  const auto code = static_cast<uint32_t>(random() % 16);
  switch (law) {
    case BlockLaw::kZero:
      return code & 8;
    case BlockLaw::kHalfZero:
      return index / 16 % 2 == 0 ? code : 0;
    case BlockLaw::kSparse:
      return random() % 16 == 0 ? code : 0;
    case BlockLaw::kCancelling:
      return index % 2 == 0 ? 3 : 8 | 3;
    case BlockLaw::kRandom:
      break;
  }
  return code;
}

BlockLaw block_law(std::mt19937& random) {
  constexpr std::array laws{BlockLaw::kZero, BlockLaw::kHalfZero, BlockLaw::kSparse,
                            BlockLaw::kCancelling};
  const size_t index = random() % 8;
  return index < laws.size() ? laws[index] : BlockLaw::kRandom;
}

}  // namespace

std::vector<NamedLaw> scale_laws(ScaleKind kind, std::mt19937& random) {
  const bool is_e8m0 = kind == ScaleKind::kE8m0;
  const uint32_t one = is_e8m0 ? 127 : kind == ScaleKind::kUe4m3 ? 0x38 : 0xC0;
  const uint32_t binade = is_e8m0 ? 1 : kind == ScaleKind::kUe4m3 ? 8 : 4;
  const auto below = [&random](uint32_t count) { return static_cast<uint32_t>(random() % count); };
  return {
      {"three neighbours", [=](int64_t) { return one - 1 + below(3); }},
      {"eleven binades", [=](int64_t) { return one - 5 * binade + below(11 * binade); }},
      {"sixty codes", [=](int64_t) { return one - 30 + below(61); }},
      {"rows far apart",
       [=](int64_t row) {
         return one + 2 - static_cast<uint32_t>(row % 5) * 10 * binade / 2 + below(2);
       }},
      {"the lowest", [=](int64_t) { return below(is_e8m0 ? 70 : 20); }},
      {"the highest", [=](int64_t) { return (is_e8m0 ? 190 : 100) + below(is_e8m0 ? 65 : 27); }},
      {"the lowest or one", [=](int64_t) { return below(3) == 0 ? 0 : one; }},
      {"all but NaN", [=](int64_t) { return below(kind == ScaleKind::kUe4m3 ? 127 : 255); }},
      {"rarely any", [=](int64_t) { return below(20) == 0 ? below(256) : one + below(3); }},
  };
}

PackedMatrix mixed_matrix(const BlockFormat& format, int64_t rows, int64_t k, std::mt19937& random,
                          const ScaleLaw& law) {
  PackedMatrix matrix = make_packed_matrix(format, rows, k);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t block = 0; block < matrix.blocks(); ++block) {
      uint8_t* scale = matrix.row_scales(row) + block * format.scale_bytes();
      for (int i = 0; i < format.scale_bytes(); ++i) {
        scale[i] = static_cast<uint8_t>(i == 0 ? law(row) : random());
      }
      const BlockLaw block_elements = block_law(random);
      const int64_t first = block * format.block;
      for (int64_t i = first; i < std::min(k, first + format.block); ++i) {
        set_packed_code(matrix.row_codes(row), i,
                        static_cast<uint8_t>(element(block_elements, i, random)));
      }
    }
  }
  return matrix;
}

std::vector<uint32_t> mixed_starts(int64_t rows, int64_t columns, std::mt19937& random) {
  std::vector<uint32_t> starts;
  for (int64_t row = 0; row < rows; ++row) {
    const size_t law = random() % 5;
    const auto lowest = static_cast<uint32_t>(67 + random() % 120);
    for (int64_t column = 0; column < columns; ++column) {
      const auto bits = static_cast<uint32_t>(random());
      const auto exponent = lowest + static_cast<uint32_t>(random() % 6);
      if (law == 0) {
        const bool is_special = random() % 2 == 0;
        starts.push_back(is_special ? kSpecialStarts[random() % kSpecialStarts.size()] : bits);
      } else if (law == 1) {
        starts.push_back(0);
      } else {
        starts.push_back((bits & 0x807FFFFF) | (exponent << 23));
      }
    }
  }
  return starts;
}

std::vector<BlockFormat> formats_of(Accumulation policy) {
  std::vector<BlockFormat> formats = every_format();
  const auto has_no_arithmetic = [policy](const BlockFormat& format) {
    try {
      require_format_of(policy, format);
    } catch (const InputError&) {
      return true;
    }
    return false;
  };
  formats.erase(std::remove_if(formats.begin(), formats.end(), has_no_arithmetic), formats.end());
  return formats;
}

std::string describe(const BlockFormat& format) {
  return std::string(scale_name(format.scale)) + " blocks of " + std::to_string(format.block);
}

void expect_reference(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy,
                      const std::vector<uint32_t>& c, const GemmCorrections& corrections) {
  const auto size = static_cast<size_t>(a.rows * b.rows);
  const uint32_t* start = c.empty() ? nullptr : c.data();
  std::vector<uint32_t> expected(size);
  std::vector<uint8_t> expected_truncation(size);
  reference_gemm(a, b, policy, start, expected.data(), 1, corrections, expected_truncation.data());
  for (const EmulatorTarget target : available_targets()) {
    for (const bool tells : {false, true}) {
      const int threads = tells ? 3 : 1;
      // Patterns that no result has: an output left unwritten shows.
      std::vector<uint32_t> d(size, 0x7FDEAD00);
      std::vector<uint8_t> truncation(size, 0xEE);
      EmulatorOptions options;
      options.target = target;
      options.truncation = tells ? truncation.data() : nullptr;
      emulate_gemm(a, b, policy, start, d.data(), threads, corrections, options);
      EXPECT_EQ(d, expected) << name_of(target) << ", " << threads << " threads";
      if (tells) {
        EXPECT_EQ(truncation, expected_truncation) << name_of(target);
      }
    }
  }
}

MacroScales random_macro_scales(const PackedMatrix& matrix, int64_t length, std::mt19937& random) {
  MacroScales macro;
  macro.length = length;
  macro.factors.resize(static_cast<size_t>(matrix.rows * ceil_divide(matrix.k, length)));
  for (float& factor : macro.factors) {
    factor = static_cast<float>(1024 + random() % 1024) / static_cast<float>(1 << (random() % 24));
  }
  return macro;
}

}  // namespace nibblecore::test
