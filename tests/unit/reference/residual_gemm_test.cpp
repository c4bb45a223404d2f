// SPDX-License-Identifier: Apache-2.0
// The golden GEMM with a residual of A, against the order of additions written down in full.
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/reference/gemm.hpp"
#include "tests/unit/reference/dot_definition.hpp"
#include "tests/unit/reference/fp32_definition.hpp"
#include "tests/unit/reference/packed_rows.hpp"

namespace nibblecore {
namespace {

using Bits = std::vector<uint32_t>;

constexpr uint32_t kMinusZero = 0x80000000;
constexpr uint32_t kInfinity = 0x7F800000;
constexpr uint32_t kNan = 0x7FC00000;

constexpr std::array<Accumulation, 3> kPolicies{Accumulation::kFp32Rne, Accumulation::kFp32Fused,
                                                Accumulation::kExact};

Bits gemm(const PackedMatrix& a, const PackedMatrix& residual, int64_t granule,
          const PackedMatrix& b, Accumulation policy, const Bits& c, int threads = 1) {
  const ResidualOperand operand{residual, granule};
  GemmCorrections corrections;
  corrections.residual = &operand;
  Bits d(static_cast<size_t>(a.rows * b.rows), 0x7FDEAD00);
  reference_gemm(a, b, policy, c.empty() ? nullptr : c.data(), d.data(), threads, corrections);
  return d;
}

/// Elements [first, end) of K of A or of its residual.
struct Window {
  bool of_residual;
  int64_t first;
  int64_t end;
};

/// What is added between two roundings, in order: windows of `width` within each granule.
std::vector<Window> windows(int64_t k, int64_t granule, int64_t width) {
  std::vector<Window> result;
  for (int64_t start = 0; start < k; start += granule) {
    for (const bool of_residual : {false, true}) {
      for (int64_t first = start; first < std::min(k, start + granule); first += width) {
        result.push_back({of_residual, first, std::min({k, start + granule, first + width})});
      }
    }
  }
  return result;
}

bool row_has_nan(const PackedMatrix& matrix, int64_t row) {
  for (int64_t i = 0; i < matrix.k; ++i) {
    if (std::isnan(element_value(matrix, row, i))) {
      return true;
    }
  }
  return false;
}

class Definition {
 public:
  Definition(const PackedMatrix& a, const PackedMatrix& residual, const PackedMatrix& b)
      : a_(a), residual_(residual), b_(b) {}

  Bits gemm(int64_t granule, Accumulation policy, const Bits& c) const {
    const int64_t width = policy == Accumulation::kFp32Rne ? a_.format.block : 64;
    const std::vector<Window> order = windows(a_.k, granule, width);
    Bits d;
    for (int64_t m = 0; m < a_.rows; ++m) {
      for (int64_t n = 0; n < b_.rows; ++n) {
        d.push_back(scaled(output(m, n, order, policy, c[d.size()])));
      }
    }
    return d;
  }

 private:
  uint32_t output(int64_t m, int64_t n, const std::vector<Window>& order, Accumulation policy,
                  uint32_t c) const {
    if (std::isnan(bits_float(c)) || row_has_nan(a_, m) || row_has_nan(residual_, m) ||
        row_has_nan(b_, n)) {
      return kNan;
    }
    uint32_t accumulator = c;
    FixedPoint rest = 0;
    for (const Window& window : order) {
      const PackedMatrix& row = window.of_residual ? residual_ : a_;
      for (int64_t i = window.first; i < window.end; ++i) {
        rest += fixed_point(element_value(row, m, i) * element_value(b_, n, i));
      }
      const bool rounds = policy != Accumulation::kExact || &window == &order.back();
      if (rounds && !std::isinf(bits_float(accumulator))) {
        accumulator =
            nearest_fp32(rest + fixed_point(static_cast<double>(bits_float(accumulator))));
        rest = 0;
      }
    }
    return accumulator;
  }

  uint32_t scaled(uint32_t sum) const {
    const auto alpha = static_cast<float>(double{a_.tensor_scale} * double{b_.tensor_scale});
    const auto product = static_cast<float>(double{bits_float(sum)} * double{alpha});
    if (alpha == 1) {
      return sum;
    }
    return std::isnan(product) ? kNan : float_bits(product);
  }

  const PackedMatrix& a_;
  const PackedMatrix& residual_;
  const PackedMatrix& b_;
};

Bits random_starts(size_t count, std::mt19937& random) {
  constexpr uint32_t kSpecials[] = {0,         kMinusZero, 1,          0x80000001,
                                    kInfinity, 0xFF800000, 0x7F7FFFFF, 0xFFFFFFFF};
  Bits starts(count);
  for (uint32_t& start : starts) {
    start = random() % 3 == 0 ? kSpecials[random() % 8] : static_cast<uint32_t>(random());
  }
  return starts;
}

void expect_definition(const std::function<uint32_t(const BlockFormat&)>& scale_code,
                       std::mt19937& random) {
  for (const BlockFormat& format : every_format()) {
    for (const int64_t k : {1, 64, 97, 130, 200, 323}) {
      const auto scale = [&] { return scale_code(format); };
      PackedMatrix a = random_packed(format, 4, k, random, scale);
      PackedMatrix residual = random_packed(format, 4, k, random, scale);
      PackedMatrix b = random_packed(format, 3, k, random, scale);
      if (format.scale == ScaleKind::kUe4m3) {
        a.tensor_scale = residual.tensor_scale = static_cast<float>(random()) * 0x1p-40F;
        b.tensor_scale = static_cast<float>(random()) * 0x1p-25F;
      }
      const Bits c = random_starts(12, random);
      for (const Accumulation policy : kPolicies) {
        for (const int64_t granule : {int64_t{64}, int64_t{128}, k}) {
          EXPECT_EQ(gemm(a, residual, granule, b, policy, c),
                    Definition(a, residual, b).gemm(granule, policy, c))
              << scale_name(format.scale) << " blocks of " << format.block << ", "
              << name_of(policy) << ", k " << k << ", granule " << granule;
        }
      }
    }
  }
}

TEST(ReferenceResidual, FollowsTheOrderUnderAnyScale) {
  std::mt19937 random(1);
  // NaN codes turn most rows into NaN: they are drawn seldom.
  expect_definition(
      [&](const BlockFormat&) {
        const auto code = static_cast<uint32_t>(random() % 256);
        return code % 128 == 127 && random() % 8 != 0 ? code - 1 : code;
      },
      random);
}

TEST(ReferenceResidual, FollowsTheOrderUnderScalesThatMeet) {
  std::mt19937 random(2);
  expect_definition(
      [&](const BlockFormat& format) {
        const uint32_t center = format.scale == ScaleKind::kE8m0    ? 120
                                : format.scale == ScaleKind::kUe4m3 ? 0x30
                                                                    : 0xB8;
        return center + static_cast<uint32_t>(random() % 12);
      },
      random);
}

/// [1, 256] in MXFP4: block i holds `codes[i]` (a code with its sign) at its first element, under
/// the scale 2^exponents[i].
PackedMatrix blocks_of_one(const std::vector<uint8_t>& codes, const std::vector<int>& exponents) {
  PackedMatrix row = make_packed_matrix(kMxfp4, 1, 256);
  for (size_t i = 0; i < codes.size(); ++i) {
    set_packed_code(row.row_codes(0), static_cast<int64_t>(32 * i), codes[i]);
    row.scales[i] = static_cast<uint8_t>(127 + exponents[i]);
  }
  return row;
}

PackedMatrix ones() { return blocks_of_one(std::vector<uint8_t>(8, 2), std::vector<int>(8, 0)); }

// Dense 2^26, -2^26, 2^24, -2^24 in the four 64s of K, residual 3 in the first. At 2^26 a step is
// 8 and the 3 is lost, at 2^24 it is 2 and the 3, a tie, becomes 4.
TEST(ReferenceResidual, GranulesDecideBits) {
  const PackedMatrix dense =
      blocks_of_one({2, 0, 10, 0, 2, 0, 10, 0}, {26, 0, 26, 0, 24, 0, 24, 0});
  const PackedMatrix residual = blocks_of_one({5}, {0});
  for (const Accumulation policy : {Accumulation::kFp32Rne, Accumulation::kFp32Fused}) {
    EXPECT_EQ(gemm(dense, residual, 64, ones(), policy, {}).front(), float_bits(0.0F));
    EXPECT_EQ(gemm(dense, residual, 128, ones(), policy, {}).front(), float_bits(4.0F));
    EXPECT_EQ(gemm(dense, residual, 256, ones(), policy, {}).front(), float_bits(3.0F));
  }
  for (const int64_t granule : {64, 128, 256}) {
    EXPECT_EQ(gemm(dense, residual, granule, ones(), Accumulation::kExact, {}).front(),
              float_bits(3.0F));
  }
}

// 2^24 in the dense half, 1 and 1 in the residual's: one fused addition keeps both ones, and never
// joins them with the dense 64.
TEST(ReferenceResidual, FusedAdditionsEndWithTheDenseHalf) {
  const PackedMatrix large = blocks_of_one({2}, {24});
  const PackedMatrix two_ones = blocks_of_one({2, 2}, {0, 0});
  const PackedMatrix one = blocks_of_one({2}, {0});
  const PackedMatrix large_and_one = blocks_of_one({2, 2}, {24, 0});
  EXPECT_EQ(gemm(large, two_ones, 64, ones(), Accumulation::kFp32Rne, {}).front(), 0x4B800000U);
  EXPECT_EQ(gemm(large, two_ones, 64, ones(), Accumulation::kFp32Fused, {}).front(), 0x4B800001U);
  EXPECT_EQ(gemm(large_and_one, one, 64, ones(), Accumulation::kFp32Fused, {}).front(),
            0x4B800000U);
  EXPECT_EQ(gemm(large_and_one, one, 64, ones(), Accumulation::kExact, {}).front(), 0x4B800001U);
}

TEST(ReferenceResidual, ZeroBlocksAreAddedToo) {
  PackedMatrix minus_tiny = make_packed_matrix(kMxfp4, 1, 32);  // -2^-127 times 2^-127
  set_packed_code(minus_tiny.row_codes(0), 0, 10);
  PackedMatrix tiny = make_packed_matrix(kMxfp4, 1, 32);
  set_packed_code(tiny.row_codes(0), 0, 2);
  const PackedMatrix zeros = make_packed_matrix(kMxfp4, 1, 32);
  Bits plain(1);
  reference_gemm(minus_tiny, tiny, Accumulation::kFp32Rne, nullptr, plain.data(), 1);
  EXPECT_EQ(plain.front(), kMinusZero);
  EXPECT_EQ(gemm(minus_tiny, zeros, 32, tiny, Accumulation::kFp32Rne, {}).front(), 0U);
  EXPECT_EQ(gemm(zeros, minus_tiny, 32, tiny, Accumulation::kFp32Rne, {}).front(), kMinusZero);
}

TEST(ReferenceResidual, NanBlocksOfTheResidualSpreadAlongTheirRow) {
  for (const BlockFormat& format : every_format()) {
    const PackedMatrix a = make_packed_matrix(format, 2, 200);
    const PackedMatrix b = make_packed_matrix(format, 2, 200);
    PackedMatrix residual = a;
    residual.row_scales(1)[residual.scale_stride() - format.scale_bytes()] =
        format.scale == ScaleKind::kUe4m3 ? 0x7F : 0xFF;
    for (const Accumulation policy : kPolicies) {
      EXPECT_THAT(gemm(a, residual, 64, b, policy, {1, kInfinity, kInfinity, 1}),
                  testing::ElementsAre(1, kInfinity, kNan, kNan));
    }
  }
}

TEST(ReferenceResidual, WithoutKReturnsC) {
  const PackedMatrix empty = make_packed_matrix(kMxfp4, 1, 0);
  for (const Accumulation policy : kPolicies) {
    EXPECT_EQ(gemm(empty, empty, 0, empty, policy, {kMinusZero}).front(), kMinusZero);
    EXPECT_EQ(gemm(empty, empty, 64, empty, policy, {0xFF800001}).front(), kNan);
  }
}

TEST(ReferenceResidual, ThreadsDoNotChangeBits) {
  std::mt19937 random(3);
  const auto scale = [&] { return 120 + static_cast<uint32_t>(random() % 12); };
  const PackedMatrix a = random_packed(kMxfp4, 21, 200, random, scale);
  const PackedMatrix residual = random_packed(kMxfp4, 21, 200, random, scale);
  const PackedMatrix b = random_packed(kMxfp4, 9, 200, random, scale);
  const Bits expected = gemm(a, residual, 64, b, Accumulation::kFp32Rne, {});
  for (const int threads : {0, 2, 5}) {
    EXPECT_EQ(gemm(a, residual, 64, b, Accumulation::kFp32Rne, {}, threads), expected);
  }
}

TEST(ReferenceResidual, RefusesWhatDoesNotGoWithA) {
  const PackedMatrix a = make_packed_matrix(kMxfp4, 1, 256);
  EXPECT_THROW(gemm(a, make_packed_matrix(kMxfp4, 2, 256), 64, a, Accumulation::kFp32Rne, {}),
               InputError);
  EXPECT_THROW(gemm(a, a, 32, a, Accumulation::kFp32Rne, {}), InputError);
}

}  // namespace
}  // namespace nibblecore
