// SPDX-License-Identifier: Apache-2.0
// The emulator with a residual of A: against the golden reference, and against itself on one long
// row that holds the blocks in the order in which they are to be added.
#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/emulate/gemm.hpp"
#include "model/quantize/quantize.hpp"
#include "model/quantize/residual.hpp"
#include "model/quantize/sparsify.hpp"
#include "model/reference/gemm.hpp"
#include "tests/support/random_matrix.hpp"
#include "tests/unit/emulate/on_every_target.hpp"

namespace nibblecore {
namespace {

using Bits = std::vector<uint32_t>;
using test::random_matrix;
using test::Scales;

constexpr uint32_t kNan = 0x7FC00000;

const uint32_t* start_of(const Bits& c) { return c.empty() ? nullptr : c.data(); }

Bits emulate(const PackedMatrix& a, const PackedMatrix& residual, int64_t granule,
             const PackedMatrix& b, const Bits& c, int threads = 1) {
  const ResidualOperand operand{residual, granule};
  GemmCorrections corrections;
  corrections.residual = &operand;
  return test::emulate_on_every_target(a, b, Accumulation::kFp32Rne, c, threads, corrections);
}

Bits golden(const PackedMatrix& a, const PackedMatrix& residual, int64_t granule,
            const PackedMatrix& b, const Bits& c) {
  const ResidualOperand operand{residual, granule};
  GemmCorrections corrections;
  corrections.residual = &operand;
  Bits d(static_cast<size_t>(a.rows * b.rows));
  reference_gemm(a, b, Accumulation::kFp32Rne, start_of(c), d.data(), 1, corrections);
  return d;
}

Bits random_starts(size_t count, std::mt19937& random) {
  Bits starts(count);
  for (uint32_t& start : starts) {
    start = random() % 4 == 0 ? 0x80000000 : static_cast<uint32_t>(random());
  }
  return starts;
}

std::vector<BlockFormat> all_formats() {
  std::vector<BlockFormat> formats{kHif4};
  for (const int block : {16, 32, 64}) {
    formats.push_back(make_block_format("mxfp4", block, "ue8m0"));
    formats.push_back(make_block_format("mxfp4", block, "ue4m3"));
  }
  return formats;
}

constexpr std::array<ResidualPattern, 4> kPatterns{
    ResidualPattern::kTwoOfFour, ResidualPattern::kDense, ResidualPattern::kChannel50,
    ResidualPattern::kBlock32x64At50};

struct Shape {
  int64_t m;
  int64_t n;
  int64_t k;
};
constexpr Shape kShapes[] = {{1, 1, 1}, {17, 33, 64}, {5, 65, 97}, {33, 7, 200}, {3, 40, 323}};

TEST(EmulateResidual, EqualsTheReference) {
  std::mt19937 random(1);
  for (const BlockFormat& format : all_formats()) {
    for (const Scales scales : {Scales::kOrdinary, Scales::kAnyFinite}) {
      for (const Shape& shape : kShapes) {
        const PackedMatrix a = random_matrix(format, shape.m, shape.k, random, scales);
        const PackedMatrix b = random_matrix(format, shape.n, shape.k, random, scales);
        const PackedMatrix whole = random_matrix(format, shape.m, shape.k, random, scales);
        const Bits c = random_starts(static_cast<size_t>(shape.m * shape.n), random);
        const PackedMatrix residual = sparsify(whole, kPatterns[random() % kPatterns.size()], 1);
        for (const int64_t granule : {int64_t{64}, int64_t{128}, shape.k}) {
          EXPECT_EQ(emulate(a, residual, granule, b, c), golden(a, residual, granule, b, c))
              << scale_name(format.scale) << " blocks of " << format.block << ", k " << shape.k
              << ", granule " << granule;
        }
      }
    }
  }
}

TEST(EmulateResidual, EqualsTheReferenceOnQuantizedOperands) {
  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  std::vector<float> x(size_t{20} * 200);
  std::vector<float> w(size_t{37} * 200);
  std::generate(x.begin(), x.end(), [&] { return normal(random); });
  std::generate(w.begin(), w.end(), [&] { return normal(random); });
  for (const Preset& preset : presets()) {
    const MatrixView view = row_major_view(x.data(), 20, 200);
    const PackedMatrix a = quantize(view, preset, 1);
    const PackedMatrix b = quantize(row_major_view(w.data(), 37, 200), preset, 1);
    const PackedMatrix whole = quantize_residual(view, a, preset, 1);
    for (const ResidualPattern pattern : kPatterns) {
      const PackedMatrix residual = sparsify(whole, pattern, 1);
      for (const int64_t granule : {64, 128, 200}) {
        EXPECT_EQ(emulate(a, residual, granule, b, {}), golden(a, residual, granule, b, {}))
            << preset.name << ", " << name_of(pattern) << ", granule " << granule;
      }
    }
  }
}

/// One operand with the blocks of `a` and of `residual` in the order of their addition.
PackedMatrix in_order(const PackedMatrix& a, const PackedMatrix& residual, int64_t granule) {
  const BlockFormat& format = a.format;
  PackedMatrix joined = make_packed_matrix(format, a.rows, 2 * a.blocks() * format.block);
  const int64_t code_bytes = format.block / 2;
  const int64_t scale_bytes = format.scale_bytes();
  const int64_t granule_blocks = granule / format.block;
  for (int64_t row = 0; row < a.rows; ++row) {
    int64_t next = 0;
    for (int64_t first = 0; first < a.blocks(); first += granule_blocks) {
      for (const PackedMatrix* source : {&a, &residual}) {
        for (int64_t block = first; block < std::min(a.blocks(), first + granule_blocks); ++block) {
          std::copy_n(source->row_codes(row) + block * code_bytes, code_bytes,
                      joined.row_codes(row) + next * code_bytes);
          std::copy_n(source->row_scales(row) + block * scale_bytes, scale_bytes,
                      joined.row_scales(row) + next * scale_bytes);
          ++next;
        }
      }
    }
  }
  return joined;
}

TEST(EmulateResidual, EqualsARowThatHoldsTheBlocksInTheirOrder) {
  std::mt19937 random(3);
  for (const BlockFormat& format : all_formats()) {
    const PackedMatrix a = random_matrix(format, 19, 450, random);
    const PackedMatrix b = random_matrix(format, 34, 450, random);
    const PackedMatrix residual = random_matrix(format, 19, 450, random);
    const Bits c = random_starts(size_t{19} * 34, random);
    for (const int64_t granule : {64, 128, 192, 512}) {
      Bits joined(c.size());
      emulate_gemm(in_order(a, residual, granule), in_order(b, b, granule), Accumulation::kFp32Rne,
                   c.data(), joined.data(), 1);
      EXPECT_EQ(emulate(a, residual, granule, b, c), joined) << granule;
    }
  }
}

TEST(EmulateResidual, GranulesDecideBits) {
  const auto row = [](const std::vector<std::pair<uint8_t, uint8_t>>& codes_and_scales) {
    PackedMatrix matrix = make_packed_matrix(kMxfp4, 1, 256);
    for (size_t i = 0; i < codes_and_scales.size(); ++i) {
      set_packed_code(matrix.row_codes(0), static_cast<int64_t>(32 * i), codes_and_scales[i].first);
      matrix.scales[i] = codes_and_scales[i].second;
    }
    return matrix;
  };
  // 2^26, -2^26, 2^24, -2^24, one in each 64; the residual is 3 in the first.
  const PackedMatrix dense =
      row({{2, 153}, {0, 0}, {10, 153}, {0, 0}, {2, 151}, {0, 0}, {10, 151}});
  const PackedMatrix residual = row({{5, 127}});
  const PackedMatrix ones = row(std::vector<std::pair<uint8_t, uint8_t>>(8, {2, 127}));
  EXPECT_EQ(emulate(dense, residual, 64, ones, {}).front(), float_bits(0.0F));
  EXPECT_EQ(emulate(dense, residual, 128, ones, {}).front(), float_bits(4.0F));
  EXPECT_EQ(emulate(dense, residual, 256, ones, {}).front(), float_bits(3.0F));
}

TEST(EmulateResidual, BitsDoNotDependOnThreadsAndCMayBeD) {
  std::mt19937 random(4);
  const PackedMatrix a = random_matrix(kMxfp4, 50, 257, random, Scales::kAnyFinite);
  const PackedMatrix b = random_matrix(kMxfp4, 70, 257, random, Scales::kAnyFinite);
  const PackedMatrix residual = random_matrix(kMxfp4, 50, 257, random, Scales::kAnyFinite);
  const Bits c = random_starts(size_t{50} * 70, random);
  const Bits one = emulate(a, residual, 128, b, c, 1);
  for (const int threads : {0, 2, 3, 8}) {
    EXPECT_EQ(emulate(a, residual, 128, b, c, threads), one) << threads << " threads";
  }
  const ResidualOperand operand{residual, 128};
  GemmCorrections corrections;
  corrections.residual = &operand;
  Bits in_place = c;
  emulate_gemm(a, b, Accumulation::kFp32Rne, in_place.data(), in_place.data(), 2, corrections);
  EXPECT_EQ(in_place, one);
}

TEST(EmulateResidual, NanBlocksOfTheResidualSpreadAlongTheirRow) {
  for (const BlockFormat& format : all_formats()) {
    const PackedMatrix zeros = make_packed_matrix(format, 2, 200);
    PackedMatrix residual = zeros;
    residual.row_scales(1)[residual.scale_stride() - format.scale_bytes()] = 0xFF;
    EXPECT_THAT(emulate(zeros, residual, 64, zeros, {1, 0x7F800000, 0x7F800000, 1}),
                testing::ElementsAre(1, 0x7F800000, kNan, kNan));
  }
}

TEST(EmulateResidual, WithoutKReturnsC) {
  const PackedMatrix empty = make_packed_matrix(kMxfp4, 1, 0);
  EXPECT_EQ(emulate(empty, empty, 0, empty, {0x80000000}).front(), 0x80000000U);
  EXPECT_EQ(emulate(empty, empty, 128, empty, {}).front(), 0U);
}

TEST(EmulateResidual, RefusesWhatDoesNotGoWithA) {
  const PackedMatrix a = make_packed_matrix(kMxfp4, 1, 256);
  EXPECT_THROW(emulate(a, make_packed_matrix(kMxfp4, 1, 255), 64, a, {}), InputError);
  EXPECT_THROW(emulate(a, a, 32, a, {}), InputError);
}

}  // namespace
}  // namespace nibblecore
