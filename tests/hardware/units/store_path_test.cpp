// SPDX-License-Identifier: Apache-2.0
#include "hw/units/store_path.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore::hw {
namespace {

class StorePathTest : public testing::Test {
 protected:
  /// The values that memory gets, of 2 or 4 bytes each.
  template <class Value>
  static std::vector<Value> stored(OutputWidth width, float a_scale, float b_scale,
                                   const std::vector<uint32_t>& values) {
    GemmSpec spec{16, 16, 64, kNvfp4};
    spec.output = width;
    const Program program(round_machine(), spec, {1, 1, 1});
    GemmJob job;
    job.program = &program;
    job.a_tensor_scale = float_bits(a_scale);
    job.b_tensor_scale = float_bits(b_scale);
    StorePath path;
    path.start(job);
    std::vector<uint8_t> bytes(1);
    path.convert(values, {}, bytes);
    std::vector<Value> result(bytes.size() / sizeof(Value));
    std::memcpy(result.data(), bytes.data(), bytes.size());
    EXPECT_EQ(bytes.size(), values.size() * sizeof(Value));
    return result;
  }
};

TEST_F(StorePathTest, ScalesOfOneLeaveEveryBit) {
  const std::vector<uint32_t> values{0x80000000, 0x00000001, 0x7F800000, 0xFF800000,
                                     0x7FC00000, 0x7FA00001, 0x3F800001};
  EXPECT_EQ(stored<uint32_t>(OutputWidth::kFp32, 1.0F, 1.0F, values), values);
}

TEST_F(StorePathTest, AlphaIsTheRoundedProductOfBothScales) {
  // 1 + 2^-23 times itself rounds to 1 + 2^-22; times 3 that is exact, in two steps it is not.
  const float scale = bits_float(0x3F800001);
  const std::vector<uint32_t> expected{0x40400003};
  EXPECT_EQ(stored<uint32_t>(OutputWidth::kFp32, scale, scale, {float_bits(3.0F)}), expected);
  const std::vector<uint32_t> signs{0xC0000000, 0x80000000, 0xFF800000};
  EXPECT_EQ(
      stored<uint32_t>(OutputWidth::kFp32, -2.0F, 1.0F, {float_bits(1.0F), 0x00000000, 0x7F800000}),
      signs);
}

TEST_F(StorePathTest, Bf16IsRoundedAfterAlpha) {
  // 1.00390625 is a tie of BF16 and goes down to 1; doubled and a little it goes up.
  const uint32_t tie = 0x3F808000;
  const std::vector<uint16_t> plain{0x3F80, 0x7FC0, 0x7F80, 0xFF80};
  EXPECT_EQ(
      stored<uint16_t>(OutputWidth::kBf16, 1.0F, 1.0F, {tie, 0x7F800001, 0x7F7FFFFF, 0xFF800000}),
      plain);
  const std::vector<uint16_t> scaled{0x4001};
  EXPECT_EQ(stored<uint16_t>(OutputWidth::kBf16, bits_float(0x40000001), 1.0F, {tie}), scaled);
}

TEST_F(StorePathTest, AResidualIsAddedUnderItsFactorInOneRoundingBeforeTheScales) {
  GemmSpec spec{16, 16, 64, kNvfp4, OperandPath::kOnlineBf16};
  spec.residual = ResidualPattern::kDense;
  spec.residual_accumulator = ResidualAccumulator::kOwn;
  const Program program(round_machine(), spec, {1, 1, 1});
  GemmJob job;
  job.program = &program;
  job.a_tensor_scale = float_bits(3.0F);
  job.residual_alpha = 0x3F800001;
  StorePath path;
  path.start(job);
  std::vector<uint8_t> bytes;
  // (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46: two roundings would give 0. The next: 1 + 2^-23 + 2^-24
  // rounds to 1 + 2^-22, three times that to 3 + 2^-21.
  path.convert({0xBF800002, 0x33800000, 0xFF800000}, {0x3F800001, 0x3F800000, 0x7F7FFFFF}, bytes);
  std::vector<uint32_t> stored(3);
  ASSERT_EQ(bytes.size(), 12U);
  std::memcpy(stored.data(), bytes.data(), bytes.size());
  EXPECT_EQ(stored, (std::vector<uint32_t>{float_bits(3 * 0x1p-46F), 0x40400003, 0xFF800000}));
}

}  // namespace
}  // namespace nibblecore::hw
