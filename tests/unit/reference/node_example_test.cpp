// SPDX-License-Identifier: Apache-2.0
// The examples of truncating policies in docs/numerics.md: every figure is computed by the rules as
// the page states them, held to the golden GEMM and the vectors, and looked for on the page.
#include <algorithm>
#include <bitset>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/e2m1.hpp"
#include "model/reference/gemm.hpp"
#include "tests/unit/reference/mma_vectors.hpp"
#include "tests/unit/reference/numerics_page.hpp"

namespace nibblecore {
namespace {

std::string hex(uint32_t value, int digits) {
  std::ostringstream text;
  text << std::hex << std::uppercase << value;
  return "0x" + std::string(static_cast<size_t>(digits) - text.str().size(), '0') + text.str();
}

template <class Numbers>
std::string listed(const Numbers& numbers) {
  std::ostringstream text;
  for (const auto number : numbers) {
    text << (text.tellp() == 0 ? "" : " ") << int64_t{number};
  }
  return text.str();
}

/// One output of a vector file, by the ten rules.
class NodeWalk {
 public:
  NodeWalk(const MmaVectors& vectors, int64_t tile, int64_t m, int64_t n)
      : a_(row(vectors.a(tile), m)),
        b_(row(vectors.b(tile), n)),
        index_(static_cast<size_t>(tile * vectors.tile_size() + m * vectors.b(tile).rows + n)),
        c_(vectors.c[index_]),
        ue4m3_(vectors.format.scale == ScaleKind::kUe4m3) {
    for (int64_t first = 0; first < 64; first += 16) {
      add_group(first);
    }
    const auto field = static_cast<int>((c_ >> 23) & 0xFF);
    start_ = (c_ & 0x7FFFFF) | 0x800000;
    start_ = c_ >> 31 != 0 ? -start_ : start_;
    start_exponent_ = field - 127;
    largest_ = std::max(start_exponent_, *std::max_element(exponents_.begin(), exponents_.end()));
    for (size_t i = 0; i < 4; ++i) {
      aligned_.push_back(shifted(terms_[i], 35 - (ue4m3_ ? 8 : 2) + exponents_[i] - largest_));
    }
    aligned_start_ = shifted(start_, 12 + start_exponent_ - largest_);
    sum_ = aligned_start_;
    for (const int64_t term : aligned_) {
      sum_ += term;
    }
    reference_gemm(a_, b_, Accumulation::kBlackwell, &c_, &d_, 1, {}, &losses_);
    EXPECT_EQ(d_, vectors.d[index_]);
  }

  std::string text() const {
    const auto magnitude = static_cast<uint64_t>(std::abs(sum_));
    const int bits = bit_width(magnitude);
    const int cut = std::max(0, bits - 24);
    const std::string rest =
        std::bitset<64>(magnitude).to_string().substr(static_cast<size_t>(64 - cut));
    const auto kept = static_cast<uint32_t>(magnitude >> cut);
    const int unit = largest_ - 35 + cut;
    EXPECT_EQ(std::ldexp(sum_ < 0 ? -static_cast<double>(kept) : static_cast<double>(kept), unit),
              static_cast<double>(bits_float(d_)));
    const std::string sign = sum_ < 0 ? "-" : "";
    std::ostringstream lines;
    lines << "    scales of A   " << listed(a_.scales) << "\n    scales of B   "
          << listed(b_.scales) << "\n    P             " << listed(sums_) << "\n    M_a * M_b     "
          << listed(significands_) << "\n    T             " << listed(terms_)
          << "\n    E_g           " << listed(exponents_) << "\n    C             " << hex(c_, 8)
          << " = " << start_ << " * 2^" << start_exponent_ - 23 << ", e_C = " << start_exponent_
          << "\n    E_max         " << largest_ << ": the last bit is 2^" << largest_ - 35
          << "\n    S_g           " << listed(aligned_) << "\n    S_C           " << aligned_start_
          << "\n    S             " << sum_ << ", " << bits << " bits\n    kept|cut      "
          << hex(kept, 6) << " | " << rest << "\n    D             " << sign << hex(kept, 6)
          << " * 2^" << unit << " = " << hex(d_, 8) << ", losses " << int{losses_} << "\n";
    return lines.str();
  }

  /// The accumulator of `fp32-rne` behind each block.
  std::string rounded() const {
    std::string text;
    uint32_t sum = c_;
    for (int64_t block = 0; block < a_.blocks(); ++block) {
      reference_gemm(block_of(a_, block), block_of(b_, block), Accumulation::kFp32Rne, &sum, &sum,
                     1);
      text += (text.empty() ? "" : ", ") + hex(sum, 8);
    }
    EXPECT_NE(sum, d_);
    return text;
  }

 private:
  static PackedMatrix row(const PackedMatrix& matrix, int64_t index) {
    PackedMatrix one = make_packed_matrix(matrix.format, 1, matrix.k);
    std::copy_n(matrix.row_codes(index), one.codes.size(), one.codes.begin());
    std::copy_n(matrix.row_scales(index), one.scales.size(), one.scales.begin());
    return one;
  }

  static PackedMatrix block_of(const PackedMatrix& row, int64_t block) {
    PackedMatrix one = make_packed_matrix(row.format, 1, row.format.block);
    std::copy_n(row.codes.begin() + block * row.format.block / 2, one.codes.size(),
                one.codes.begin());
    one.scales[0] = row.scales[static_cast<size_t>(block)];
    return one;
  }

  static int64_t shifted(int64_t value, int by) {
    const int64_t magnitude =
        by >= 0 ? std::abs(value) << by : std::abs(value) >> std::min(63, -by);
    return value < 0 ? -magnitude : magnitude;
  }

  /// M and E.
  std::pair<int, int> scale(uint8_t code) const {
    if (!ue4m3_) {
      return {1, code - 127};
    }
    const int field = (code >> 3) & 15;
    return {field == 0 ? code & 7 : 8 + (code & 7), field == 0 ? -6 : field - 7};
  }

  void add_group(int64_t first) {
    int sum = 0;
    for (int64_t k = first; k < first + 16; ++k) {
      sum += kE2m1Doubled[packed_code(a_.row_codes(0), k)] *
             kE2m1Doubled[packed_code(b_.row_codes(0), k)];
    }
    const auto block = static_cast<size_t>(first / a_.format.block);
    const auto [m_a, e_a] = scale(a_.scales[block]);
    const auto [m_b, e_b] = scale(b_.scales[block]);
    sums_.push_back(sum);
    significands_.push_back(m_a * m_b);
    terms_.push_back(int64_t{sum} * m_a * m_b);
    exponents_.push_back(e_a + e_b);
  }

  PackedMatrix a_;
  PackedMatrix b_;
  size_t index_;
  uint32_t c_;
  bool ue4m3_;
  std::vector<int> sums_;
  std::vector<int> significands_;
  std::vector<int64_t> terms_;
  std::vector<int> exponents_;
  int64_t start_ = 0;
  int start_exponent_ = 0;
  int largest_ = 0;
  std::vector<int64_t> aligned_;
  int64_t aligned_start_ = 0;
  int64_t sum_ = 0;
  uint32_t d_ = 0;
  uint8_t losses_ = 0;
};

void expect_on_page(const std::string& text) {
  EXPECT_THAT(numerics_page(), testing::HasSubstr(text));
}

TEST(NodeExample, FourScalesOfUe4m3) {
  const NodeWalk walk(MmaVectors("rtxblackwell_mma_m16n8k64_block16_ue4m3"), 0, 0, 0);
  expect_on_page(walk.text());
  expect_on_page("`fp32-rne` rounds up: " + walk.rounded() + ".");
}

TEST(NodeExample, CThatLosesBits) {
  const NodeWalk walk(MmaVectors("rtxblackwell_mma_m16n8k64_block32_ue8m0"), 200, 1, 1);
  expect_on_page(walk.text());
  expect_on_page("12677661 * 2^-4 is 792353.8:");
  EXPECT_EQ(12677661 * 10 / 16, 7923538);
  expect_on_page("`fp32-rne`: " + walk.rounded() + ". Tile 0, output (3, 2)\nof the same file");
}

TEST(NodeExample, NegativeResult) {
  const NodeWalk walk(MmaVectors("rtxblackwell_mma_m16n8k64_block32_ue8m0"), 0, 3, 2);
  expect_on_page(walk.text());
  expect_on_page("`fp32-rne`: " + walk.rounded() + ", away from zero.");
}

/// A row of the page's table of small cases.
struct SmallCase {
  Accumulation policy;
  const char* scales;
  const char* start_text;
  const char* products_text;
  std::vector<int> scale_exponents;  ///< of A's blocks of 32; those of B are 1
  double start;
  std::vector<std::pair<uint8_t, uint8_t>> products;  ///< codes, from element 0 on
};

TEST(NodeExample, SmallCases) {
  constexpr auto kBlackwell = Accumulation::kBlackwell;
  constexpr auto kV1 = Accumulation::kBlackwellV1;
  constexpr auto kMixed = Accumulation::kBlackwellMxf8f6f4;
  const double largest = 0x1.fffffep127;
  // E2M1 codes: 1 is 0.5, 2 is 1, 4 is 2, 6 is 4, 7 is 6; 8 more for a minus.
  const SmallCase cases[] = {
      {kBlackwell, "1", "2^33", "one of -0.25", {0}, 0x1p33, {{1, 9}}},
      {kBlackwell, "1", "2^34", "one of -0.25", {0}, 0x1p34, {{1, 9}}},
      {kBlackwell, "2^102", "FLT_MAX", "one of 2^103", {102}, largest, {{4, 2}}},
      {kBlackwell, "2^102", "FLT_MAX", "one of 2^104", {102}, largest, {{4, 4}}},
      {kBlackwell, "1, then 2^40", "2^-23", "one of 1, then zeros", {0, 40}, 0x1p-23, {{2, 2}}},
      {kV1, "1, then 2^40", "2^-23", "one of 1, then zeros", {0, 40}, 0x1p-23, {{2, 2}}},
      {kBlackwell, "1", "2^-100", "zeros", {0}, 0x1p-100, {}},
      {kV1, "1", "2^-100", "zeros", {0}, 0x1p-100, {}},
      {kBlackwell, "1", "2^-26", "36 and -36", {0}, 0x1p-26, {{7, 7}, {7, 15}}},
      {kMixed, "1", "2^-26", "36 and -36", {0}, 0x1p-26, {{7, 7}, {7, 15}}},
      {kMixed, "1", "2^-21", "36 and -36", {0}, 0x1p-21, {{7, 7}, {7, 15}}}};
  for (const SmallCase& one : cases) {
    PackedMatrix a =
        make_packed_matrix(kMxfp4, 1, 32 * static_cast<int64_t>(one.scale_exponents.size()));
    PackedMatrix b = a;
    b.scales.assign(b.scales.size(), 127);
    for (size_t i = 0; i < a.scales.size(); ++i) {
      a.scales[i] = static_cast<uint8_t>(127 + one.scale_exponents[i]);
    }
    for (size_t i = 0; i < one.products.size(); ++i) {
      set_packed_code(a.row_codes(0), static_cast<int64_t>(i), one.products[i].first);
      set_packed_code(b.row_codes(0), static_cast<int64_t>(i), one.products[i].second);
    }
    const uint32_t c = float_bits(static_cast<float>(one.start));
    uint32_t d = 0;
    reference_gemm(a, b, one.policy, &c, &d, 1);
    expect_on_page("\n| `" + std::string(name_of(one.policy)) + "` | " + one.scales + " | " +
                   one.start_text + " | " + one.products_text + " | " + hex(d, 8) + " |\n");
  }
}

}  // namespace
}  // namespace nibblecore
