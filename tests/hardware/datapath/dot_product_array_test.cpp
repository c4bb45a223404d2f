// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/dot_product_array.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "hw/datapath/fp32_accumulate.hpp"
#include "hw/datapath/hif4_scale.hpp"
#include "hw/datapath/scale_factor.hpp"
#include "model/common/bits.hpp"
#include "model/formats/e2m1.hpp"
#include "model/formats/hif4_unit.hpp"
#include "model/formats/packed_matrix.hpp"
#include "model/formats/s1p2.hpp"
#include "model/trace/safetensors_reader.hpp"
#include "tests/hardware/datapath/operands.hpp"

namespace nibblecore::hw {
namespace {

constexpr CoreDescription kOneLane{1, 1, 64};

/// One unit as the first 64 of an operand's only lane.
void set_unit(CodeLanes& operand, const Hif4Unit& unit) {
  const auto bytes = pack(unit);
  std::copy(bytes.begin() + kHif4ScaleBytes, bytes.end(), operand.codes.begin());
  operand.level2[0] = unit.e1_8;
  operand.level3[0] = unit.e1_16;
}

/// The unit sum S of two HiF4 units by the array.
int32_t hardware_sum(const Hif4Unit& a, const Hif4Unit& b) {
  DotProductArray array(kOneLane);
  BlockSums result(kOneLane);
  ASlice a_slice(1, 64);
  BSlice b_slice(1, 64);
  a_slice.tag.dense_blocks = 1;
  set_unit(a_slice.dense, a);
  set_unit(b_slice.dense, b);
  array.multiply(kHif4, a_slice, b_slice, result);
  return result.sums[0];
}

/// The definition: quarters with both micro-exponents, multiplied and summed.
int32_t defined_sum(const Hif4Unit& a, const Hif4Unit& b) {
  int32_t sum = 0;
  for (int i = 0; i < 64; ++i) {
    const auto index = static_cast<size_t>(i);
    sum += s1p2_quarters(a.codes[index]) * (1 << a.micro_exponent(i)) *
           s1p2_quarters(b.codes[index]) * (1 << b.micro_exponent(i));
  }
  return sum;
}

Hif4Unit random_unit(std::mt19937& random) {
  Hif4Unit unit;
  unit.e6m2 = static_cast<uint8_t>(random() % 255);
  unit.e1_8 = static_cast<uint8_t>(random());
  unit.e1_16 = static_cast<uint16_t>(random());
  for (uint8_t& code : unit.codes) {
    code = static_cast<uint8_t>(random() & 15);
  }
  return unit;
}

TEST(DotProductArray, AllE2m1Pairs) {
  DotProductArray array(kOneLane);
  BlockSums result(kOneLane);
  for (uint32_t x = 0; x < 16; ++x) {
    for (uint32_t y = 0; y < 16; ++y) {
      for (const int position : {0, 1, 31}) {
        ASlice a(1, 64);
        BSlice b(1, 64);
        a.tag.dense_blocks = 2;
        set_packed_code(a.dense.codes.data(), position, static_cast<uint8_t>(x));
        set_packed_code(b.dense.codes.data(), position, static_cast<uint8_t>(y));
        array.multiply(kMxfp4, a, b, result);
        EXPECT_EQ(result.sums[0],
                  4 * decode_double(kE2m1Format, x) * decode_double(kE2m1Format, y));
        EXPECT_EQ(result.sums[kLanes], 0) << "the other block";
      }
    }
  }
}

TEST(DotProductArray, AllS1p2Pairs) {
  for (uint32_t x = 0; x < 16; ++x) {
    for (uint32_t y = 0; y < 16; ++y) {
      for (const size_t position : {size_t{0}, size_t{37}, size_t{63}}) {
        Hif4Unit a;
        Hif4Unit b;
        a.codes[position] = static_cast<uint8_t>(x);
        b.codes[position] = static_cast<uint8_t>(y);
        EXPECT_EQ(hardware_sum(a, b),
                  16 * decode_double(kS1p2Format, x) * decode_double(kS1p2Format, y));
      }
    }
  }
}

TEST(DotProductArray, AllMicroExponentPatternsOfEveryLevel2Group) {
  // A level-2 group sees one level-2 and two level-3 bits a side: 8 x 8 patterns. The other groups
  // and all codes are random.
  std::mt19937 random(6);
  for (int group = 0; group < 8; ++group) {
    for (uint32_t pattern = 0; pattern < 64; ++pattern) {
      Hif4Unit a = random_unit(random);
      Hif4Unit b = random_unit(random);
      const auto set_bits = [group](Hif4Unit& unit, uint32_t bits) {
        unit.e1_8 = static_cast<uint8_t>((unit.e1_8 & ~(1 << group)) | ((bits & 1) << group));
        unit.e1_16 = static_cast<uint16_t>((unit.e1_16 & ~(3 << (2 * group))) |
                                           ((bits >> 1) << (2 * group)));
      };
      set_bits(a, pattern & 7);
      set_bits(b, pattern >> 3);
      ASSERT_EQ(hardware_sum(a, b), defined_sum(a, b)) << "group " << group << ", " << pattern;
    }
  }
}

TEST(DotProductArray, LargestSumsFitTheirBuses) {
  Hif4Unit unit;
  unit.e1_8 = 0xFF;
  unit.e1_16 = 0xFFFF;
  unit.codes.fill(7);
  Hif4Unit negative = unit;
  negative.codes.fill(15);
  EXPECT_EQ(hardware_sum(unit, unit), 50'176);
  EXPECT_EQ(hardware_sum(unit, negative), -50'176);
}

TEST(DotProductArray, LanesAndBlocksLieWhereThePayloadSays) {
  constexpr CoreDescription kCore{3, 2, 128};
  std::mt19937 random(7);
  DotProductArray array(kCore);
  BlockSums result(kCore);
  ASlice a = test::random_a(kCore, random);
  const BSlice b = test::random_b(kCore, random);
  // A's lanes hold 128 elements, B's 256.
  const auto unit_of = [](const CodeLanes& operand, int k, int lane, int unit) {
    Hif4Unit result_unit;
    const size_t index =
        static_cast<size_t>(lane) * static_cast<size_t>(k / 64) + static_cast<size_t>(unit);
    result_unit.e1_8 = operand.level2[index];
    result_unit.e1_16 = operand.level3[index];
    for (int i = 0; i < 64; ++i) {
      result_unit.codes[static_cast<size_t>(i)] =
          packed_code(operand.codes.data(), lane * k + unit * 64 + i);
    }
    return result_unit;
  };
  const auto sum_at = [&](int block, int row, int column) {
    const size_t line = static_cast<size_t>(block) * kCore.rows + static_cast<size_t>(row);
    return result.sums[line * kLanes + static_cast<size_t>(column)];
  };
  a.tag.dense_blocks = 2;
  array.multiply(kHif4, a, b, result);
  for (int unit = 0; unit < 2; ++unit) {
    for (int i = 0; i < kCore.rows; ++i) {
      for (int j = 0; j < kCore.columns; ++j) {
        EXPECT_EQ(sum_at(unit, i, j), defined_sum(unit_of(a.dense, kCore.depth, i, unit),
                                                  unit_of(b.dense, 2 * kCore.depth, j, unit)));
      }
    }
  }
}

TEST(DotProductArray, AWorkedSparseStep) {
  // Two rows keep different positions of the same quad of B, in the first and in the last block.
  constexpr CoreDescription kCore{2, 1, 64};
  DotProductArray array(kCore);
  BlockSums result(kCore);
  ASlice a(2, 64);
  BSlice b(1, 64);
  a.tag.kind = StepKind::kSparse;
  a.tag.residual_blocks = 4;
  for (const size_t quad : {size_t{1}, size_t{31}}) {
    b.dense.codes[2 * quad] = 0x21;      // 0.5, 1
    b.dense.codes[2 * quad + 1] = 0x7D;  // -3, 6
    a.sparse.codes[quad] = 0x42;         // row 0: 1, 2
    a.sparse.codes[32 + quad] = 0x9F;    // row 1: -6, -0.5
    a.sparse.indices[quad / 2] = 0b1101'0000;
    a.sparse.indices[16 + quad / 2] = 0b1000'0000;
  }
  array.multiply(kMxfp4, a, b, result);
  const auto sum_at = [&](size_t block, size_t row) {
    return result.sums[(block * 2 + row) * kLanes];
  };
  EXPECT_EQ(sum_at(0, 0), 4 * (1 * 1 + 2 * 6));
  EXPECT_EQ(sum_at(0, 1), 4 * (-6 * 0.5 + -0.5 * -3));
  EXPECT_EQ(sum_at(1, 0), 0);
  EXPECT_EQ(sum_at(2, 1), 0);
  EXPECT_EQ(sum_at(3, 0), 4 * (1 * 1 + 2 * 6));
  EXPECT_EQ(sum_at(3, 1), 4 * (-6 * 0.5 + -0.5 * -3));
}

/// Units and dequantized values of the golden vectors.
class Hif4Vectors : public testing::Test {
 protected:
  Hif4Vectors()
      : file_(std::string(NIBBLECORE_TEST_DATA) + "/vectors/hif4/amct.safetensors"),
        unit_(file_.tensor("unit")),
        dequantized_(file_.tensor("dequantized")) {}

  size_t rows() const { return static_cast<size_t>(unit_.shape[0]); }

  Hif4Unit unit(size_t row) const {
    std::array<uint8_t, kHif4UnitBytes> bytes{};
    std::memcpy(bytes.data(), unit_.data + row * kHif4UnitBytes, bytes.size());
    return unpack_hif4(bytes);
  }

  /// Sum of products of the file's own dequantized values; exact in FP64, since all products of a
  /// pair of units are multiples of one power of two within 22 bits.
  double exact_dot(size_t a, size_t b) const {
    double sum = 0;
    for (size_t i = 0; i < 64; ++i) {
      sum += double{value(a, i)} * double{value(b, i)};
    }
    return sum;
  }

 private:
  float value(size_t row, size_t i) const {
    float result = 0;
    std::memcpy(&result, dequantized_.data + (row * 64 + i) * sizeof result, sizeof result);
    return result;
  }

  SafetensorsFile file_;
  const Tensor& unit_;
  const Tensor& dequantized_;
};

/// The FP32 dot product of two units: array, scale product, accumulator.
uint32_t hardware_dot(const Hif4Unit& a, const Hif4Unit& b) {
  const ScaleFactor factor = multiply(hif4_fields(a.e6m2), hif4_fields(b.e6m2));
  return fp32_accumulate(0, hardware_sum(a, b) * factor.significand, factor.exponent);
}

TEST_F(Hif4Vectors, WorkedUnitPairs) {
  struct Pair {
    size_t a, b;
    int32_t sum, significand, exponent;
    uint32_t fp32;
  };
  constexpr std::array<Pair, 8> kPairs{{{0, 1, -1100, 30, -32, 0xB700E800},
                                        {10, 700, -384, 24, -22, 0xBB100000},
                                        {5, 1200, -1224, 30, -21, 0xBC8F7000},
                                        {1000, 1001, -243, 28, -9, 0xC154A000},
                                        {1300, 1500, -19, 28, 0, 0xC4050000},
                                        {1800, 2100, 1568, 30, -10, 0x4237C000},
                                        {2000, 2000, 17408, 36, -14, 0x42190000},
                                        {2300, 2400, -1624, 24, -56, 0xAB184000}}};
  for (const Pair& pair : kPairs) {
    const Hif4Unit a = unit(pair.a);
    const Hif4Unit b = unit(pair.b);
    const ScaleFactor factor = multiply(hif4_fields(a.e6m2), hif4_fields(b.e6m2));
    EXPECT_EQ(hardware_sum(a, b), pair.sum) << pair.a;
    EXPECT_EQ(factor.significand, pair.significand) << pair.a;
    EXPECT_EQ(factor.exponent, pair.exponent) << pair.a;
    EXPECT_EQ(hardware_dot(a, b), pair.fp32) << pair.a;
  }
}

TEST_F(Hif4Vectors, RandomUnitPairsAreTheExactDotProduct) {
  std::mt19937 random(8);
  int compared = 0;
  while (compared < 20'000) {
    const size_t a = random() % rows();
    const size_t b = random() % rows();
    if (unit(a).e6m2 == 0xFF || unit(b).e6m2 == 0xFF) {
      continue;
    }
    ++compared;
    const double expected = exact_dot(a, b);
    const auto rounded = static_cast<float>(expected);
    ASSERT_EQ(double{rounded}, expected) << "a unit dot product is an FP32 number";
    ASSERT_EQ(hardware_dot(unit(a), unit(b)), expected == 0 ? 0U : float_bits(rounded))
        << "rows " << a << ", " << b;
  }
}

}  // namespace
}  // namespace nibblecore::hw
