// SPDX-License-Identifier: Apache-2.0
// Nodes on both sides of every condition that lets the emulator take a short way: the distance of
// two blocks' exponents, the accumulator's distance from both, and the ends of FP32.
#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "tests/unit/emulate/on_every_target.hpp"
#include "tests/unit/emulate/policy_gemms.hpp"

namespace nibblecore::test {
namespace {

constexpr std::array kPolicies{Accumulation::kBlackwell, Accumulation::kBlackwellV1,
                               Accumulation::kBlackwellMxf8f6f4, Accumulation::kFp32Fused,
                               Accumulation::kExact};

/// The code of 2^exponent, or of the nearest that there is.
uint8_t scale_of(ScaleKind kind, int exponent) {
  const int code = kind == ScaleKind::kE8m0    ? exponent + 127
                   : kind == ScaleKind::kUe4m3 ? 8 * (exponent + 7)
                                               : 4 * (exponent + 48);
  return static_cast<uint8_t>(std::clamp(code, 0, kind == ScaleKind::kUe4m3 ? 126 : 254));
}

/// A matrix of 64 elements a row with these exponents of its blocks; an element of 16 is not zero.
PackedMatrix matrix_of(const BlockFormat& format, int64_t rows, const std::vector<int>& exponents,
                       std::mt19937& random) {
  PackedMatrix matrix = make_packed_matrix(format, rows, 64);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t block = 0; block < matrix.blocks(); ++block) {
      matrix.row_scales(row)[block * format.scale_bytes()] =
          scale_of(format.scale, exponents[static_cast<size_t>(block)]);
    }
    for (int64_t group = 0; group < 4; ++group) {
      const bool is_full = random() % 4 == 0;
      for (int64_t i = 0; i < 16; ++i) {
        const bool counts = is_full || i == 5;
        set_packed_code(matrix.row_codes(row), 16 * group + i,
                        static_cast<uint8_t>(counts ? random() % 16 : 0));
      }
    }
  }
  return matrix;
}

/// An accumulator of this exponent, where FP32 has it: a power of two, all ones or anything.
uint32_t start_of(int exponent, std::mt19937& random) {
  const int field = exponent + 127;
  if (field < -23 || field > 254) {
    return 0;
  }
  constexpr std::array<uint32_t, 3> significands{0, 0x7FFFFF, 1};
  const auto bits = static_cast<uint32_t>(random());
  const uint32_t significand = random() % 2 == 0 ? significands[random() % 3] : bits & 0x7FFFFF;
  const uint32_t magnitude = field > 0 ? static_cast<uint32_t>(field) << 23 | significand
                                       : (significand | 0x800000) >> (1 - field);
  return magnitude | (bits & 0x80000000);
}

/// Accumulators [rows, columns] about the distances from the highest and from the lowest exponent
/// at which the policies begin to lose something, and anywhere else. Those of a row have the same
/// exponent: one output may take the others along on the long way.
std::vector<uint32_t> starts_about(int lowest, int highest, int64_t rows, int64_t columns,
                                   std::mt19937& random) {
  constexpr std::array<int, 3> floors{-16, -12, 2};
  constexpr std::array<int, 4> ceilings{24, 28, 34, 44};
  std::vector<uint32_t> starts;
  for (int64_t row = 0; row < rows; ++row) {
    const int step = static_cast<int>(random() % 3) - 1;
    const size_t side = random() % 5;
    const int exponent = side < 2   ? highest + floors[random() % floors.size()] + step
                         : side < 4 ? lowest + ceilings[random() % ceilings.size()] + step
                                    : lowest - 60 + static_cast<int>(random() % 160);
    for (int64_t column = 0; column < columns; ++column) {
      starts.push_back(start_of(exponent, random));
    }
  }
  return starts;
}

class NodeLimits : public testing::TestWithParam<Accumulation> {};

TEST_P(NodeLimits, EveryDistanceOfTwoBlocks) {
  std::mt19937 random(1);
  for (const BlockFormat& format : formats_of(GetParam())) {
    SCOPED_TRACE(describe(format));
    const auto blocks = static_cast<size_t>(64 / format.block);
    const int most = format.scale == ScaleKind::kE8m0 ? 60 : 28;
    const int base = format.scale == ScaleKind::kUe4m3 ? -12 : 0;
    for (int distance = 0; distance <= most; ++distance) {
      SCOPED_TRACE(distance);
      for (const size_t high : {size_t{0}, blocks - 1}) {
        // Both operands share the distance, so that UE4M3 reaches its widest.
        std::vector<int> of_a(blocks, base / 2);
        std::vector<int> of_b(blocks, base / 2);
        of_a[high] += distance / 2;
        of_b[high] += distance - distance / 2;
        const PackedMatrix a = matrix_of(format, 16, of_a, random);
        const PackedMatrix b = matrix_of(format, 33, of_b, random);
        expect_reference(a, b, GetParam(), starts_about(base, base + distance, 16, 33, random));
      }
    }
  }
}

TEST_P(NodeLimits, TheEndsOfFp32) {
  std::mt19937 random(2);
  for (const BlockFormat& format : formats_of(GetParam())) {
    if (format.scale != ScaleKind::kE8m0) {
      continue;  // no other scale comes near them
    }
    SCOPED_TRACE(describe(format));
    const auto blocks = static_cast<size_t>(64 / format.block);
    for (const int exponent :
         {-254, -200, -174, -165, -160, -152, -150, -149, -148, -147, -142, -141,
          -140, -139, -138, -127, -126, -125, -114, -103, -102, -101, -100, -99,
          -98,  78,   79,   80,   81,   82,   90,   94,   100,  108,  109,  110,
          111,  112,  118,  120,  122,  124,  126,  128,  254}) {
      SCOPED_TRACE(exponent);
      std::vector<int> of_a(blocks, exponent / 2);
      std::vector<int> of_b(blocks, exponent - exponent / 2);
      of_a[0] += exponent < 0 ? 1 : -1;
      const PackedMatrix a = matrix_of(format, 16, of_a, random);
      const PackedMatrix b = matrix_of(format, 33, of_b, random);
      expect_reference(a, b, GetParam(), starts_about(exponent, exponent, 16, 33, random));
      expect_reference(a, b, GetParam(), {});
    }
  }
}

// Blocks whose elements are all 6 beside one that adds one unit far below: the longest sums. What
// remains when most of such a sum is taken away again shows its last unit.
TEST_P(NodeLimits, LongestSumsAtEveryDistance) {
  for (const BlockFormat& format : formats_of(GetParam())) {
    SCOPED_TRACE(describe(format));
    const bool is_ue4m3 = format.scale == ScaleKind::kUe4m3;
    const int64_t k = GetParam() == Accumulation::kExact ? 2048 : 64;
    for (int distance = 0; distance <= (is_ue4m3 ? 28 : 50); ++distance) {
      SCOPED_TRACE(distance);
      PackedMatrix a = make_packed_matrix(format, 1, k);
      PackedMatrix b = make_packed_matrix(format, 2, k);
      const int base = is_ue4m3 ? -6 : 0;
      for (PackedMatrix* matrix : {&a, &b}) {
        const int high = base + (matrix == &a ? distance / 2 : distance - distance / 2);
        for (int64_t row = 0; row < matrix->rows; ++row) {
          for (int64_t block = 0; block < matrix->blocks(); ++block) {
            const bool is_low = block == 1;
            uint8_t& scale = matrix->row_scales(row)[block * format.scale_bytes()];
            scale = scale_of(format.scale, is_low ? base : high);
            // Significands of 15 eighths.
            scale = is_ue4m3 && scale < 120 ? static_cast<uint8_t>(scale + 7) : scale;
            const int64_t first = block * format.block;
            for (int64_t i = 0; i < format.block; ++i) {
              const int code = !is_low ? 7 : i == 0 ? 1 : 0;
              set_packed_code(matrix->row_codes(row), first + i, static_cast<uint8_t>(code));
            }
          }
        }
      }
      expect_reference(a, b, GetParam(), {});
      std::vector<uint32_t> taken_away = emulate_on_every_target(a, b, GetParam(), {}, 1);
      for (uint32_t& start : taken_away) {
        start ^= 0x80000000;
      }
      expect_reference(a, b, GetParam(), taken_away);
    }
  }
}

// Rows of one tile lie far apart, and a block that is zero has any scale: neither may hide what
// another row needs.
TEST_P(NodeLimits, ScalesOfOtherRowsAndOfZeroBlocks) {
  std::mt19937 random(3);
  for (const BlockFormat& format : formats_of(GetParam())) {
    SCOPED_TRACE(describe(format));
    const auto blocks = static_cast<size_t>(64 / format.block);
    for (int round = 0; round < 6; ++round) {
      std::vector<int> exponents(blocks, 0);
      PackedMatrix a = matrix_of(format, 8, exponents, random);
      PackedMatrix b = matrix_of(format, 33, exponents, random);
      for (PackedMatrix* matrix : {&a, &b}) {
        for (int64_t row = 0; row < matrix->rows; ++row) {
          const auto exponent = static_cast<int>(random() % 40) - 20;
          for (int64_t block = 0; block < matrix->blocks(); ++block) {
            uint8_t& scale = matrix->row_scales(row)[block * format.scale_bytes()];
            const int step = static_cast<int>(random() % 4);
            scale = scale_of(format.scale, exponent / (round % 2 == 0 ? 1 : 4) + step);
            if (random() % 3 == 0) {
              const auto codes = static_cast<size_t>(format.block / 2);
              std::fill_n(matrix->row_codes(row) + static_cast<size_t>(block) * codes, codes,
                          uint8_t{0x80});
              scale = static_cast<uint8_t>(random() % 127 * (round < 4 ? 0 : 2));
            }
          }
        }
      }
      expect_reference(a, b, GetParam(), starts_about(-20, 20, 8, 33, random));
      expect_reference(a, b, GetParam(), {});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, NodeLimits, testing::ValuesIn(kPolicies),
                         [](const testing::TestParamInfo<Accumulation>& policy) {
                           std::string name(name_of(policy.param));
                           for (char& character : name) {
                             character = character == '-' ? '_' : character;
                           }
                           return name;
                         });

}  // namespace
}  // namespace nibblecore::test
