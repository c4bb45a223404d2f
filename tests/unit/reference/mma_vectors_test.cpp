// SPDX-License-Identifier: Apache-2.0
// The policies `blackwell` and `blackwell-v1` against every output of the golden vectors of the
// model that they are defined by.
#include "tests/unit/reference/mma_vectors.hpp"

#include <iostream>

#include <gtest/gtest.h>

#include "model/reference/gemm.hpp"

namespace nibblecore {
namespace {

constexpr uint8_t kRaised = 1;   // bit of `status`: the program behind d_v1 raised
constexpr uint8_t kDiffers = 2;  // d_v1 is not d
constexpr uint32_t kSign = 0x80000000;

struct Comparison {
  int64_t compared = 0;
  int64_t mismatching = 0;
  int64_t left_out = 0;
  int64_t zeros = 0;  ///< of those compared
  int64_t minus_zeros = 0;
  int64_t zero_signs_equal = 0;
};

std::vector<uint32_t> results(const MmaVectors& vectors, Accumulation policy) {
  std::vector<uint32_t> d(vectors.d.size());
  for (int64_t tile = 0; tile < vectors.tiles(); ++tile) {
    const int64_t first = tile * vectors.tile_size();
    reference_gemm(vectors.a(tile), vectors.b(tile), policy, vectors.c.data() + first,
                   d.data() + first, 1);
  }
  return d;
}

/// `d` against `expected`, but for the outputs whose status has a bit of `left_out`.
Comparison compare(const std::vector<uint32_t>& d, const std::vector<uint32_t>& expected,
                   const std::vector<uint8_t>& status, uint8_t left_out) {
  Comparison result;
  for (size_t i = 0; i < d.size(); ++i) {
    if ((status[i] & left_out) != 0) {
      ++result.left_out;
      continue;
    }
    ++result.compared;
    result.mismatching += d[i] != expected[i] ? 1 : 0;
    if ((expected[i] & ~kSign) == 0) {
      ++result.zeros;
      result.minus_zeros += expected[i] == kSign ? 1 : 0;
      result.zero_signs_equal += d[i] == expected[i] ? 1 : 0;
    }
  }
  return result;
}

void report(const std::string& file, Accumulation policy, const Comparison& result) {
  std::cout << file << ", " << name_of(policy) << ": " << result.compared << " compared, "
            << result.mismatching << " mismatching, " << result.left_out << " left out; "
            << result.zeros << " zeros, " << result.minus_zeros << " of them -0, "
            << result.zero_signs_equal << " signs equal\n";
}

void expect_equal(const Comparison& result) {
  EXPECT_EQ(result.mismatching, 0);
  EXPECT_EQ(result.zero_signs_equal, result.zeros);
}

TEST(MmaVectors, BlackwellGivesEveryBit) {
  Comparison all;
  for (const char* const file : kMmaVectorFiles) {
    SCOPED_TRACE(file);
    const MmaVectors vectors(file);
    const Comparison result =
        compare(results(vectors, Accumulation::kBlackwell), vectors.d, vectors.status, 0);
    report(file, Accumulation::kBlackwell, result);
    expect_equal(result);
    all.compared += result.compared;
    all.minus_zeros += result.minus_zeros;
  }
  EXPECT_EQ(all.compared, 4 * 67'072 + 3 * 69'632);
  EXPECT_EQ(all.minus_zeros, 222);
}

TEST(MmaVectors, BlackwellV1GivesEveryBit) {
  for (const char* const file : kMmaVectorFiles) {
    SCOPED_TRACE(file);
    const MmaVectors vectors(file);
    const std::vector<uint32_t> d = results(vectors, Accumulation::kBlackwellV1);
    const Comparison result = compare(d, vectors.d_v1, vectors.status, kRaised);
    report(file, Accumulation::kBlackwellV1, result);
    expect_equal(result);
    EXPECT_EQ(result.minus_zeros, 0);
    EXPECT_GE(result.left_out, 316);
    EXPECT_LE(result.left_out, 539);
    for (size_t i = 0; i < d.size(); ++i) {
      // Where that program raised, C is an infinity, which stays.
      if ((vectors.status[i] & kRaised) != 0) {
        EXPECT_EQ(d[i], vectors.c[i]);
      } else {
        EXPECT_EQ(d[i] != vectors.d[i], (vectors.status[i] & kDiffers) != 0);
      }
    }
  }
}

}  // namespace
}  // namespace nibblecore
