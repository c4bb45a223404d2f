// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/fp32_fma.hpp"

#include <array>
#include <cmath>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"

namespace nibblecore::hw {
namespace {

uint32_t host_fma(uint32_t a, uint32_t b, uint32_t c) {
  const float result = std::fmaf(bits_float(a), bits_float(b), bits_float(c));
  return result != result ? kQuietNan : float_bits(result);
}

/// Random operands: any fraction, or one of few bits.
class Operands {
 public:
  explicit Operands(uint64_t seed) : random_(seed) {}

  uint64_t bits() { return random_(); }
  int32_t between(int32_t least, int32_t most) {
    return least + static_cast<int32_t>(random_() % static_cast<uint64_t>(most - least + 1));
  }
  uint32_t number(int32_t field) {
    const uint64_t bits = random_();
    uint32_t fraction = static_cast<uint32_t>(bits) & 0x7FFFFF;
    switch (bits >> 61) {
      case 0:
        fraction = 0;
        break;
      case 1:
        fraction = 0x7FFFFF;
        break;
      case 2:
        fraction = uint32_t{1} << (fraction % 23);
        break;
      case 3:
        fraction &= ~uint32_t{0} << (fraction % 23);
        break;
      default:
        break;
    }
    return (static_cast<uint32_t>(bits >> 32) & kSignBit) |
           (static_cast<uint32_t>(std::clamp(field, 0, 254)) << 23) | fraction;
  }

 private:
  std::mt19937_64 random_;
};

struct Count {
  int64_t different = 0;
  std::array<int64_t, 5> results{};  ///< zero, subnormal, normal, infinity, NaN

  void compare(uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t expected = host_fma(a, b, c);
    const uint32_t found = fp32_fma(a, b, c);
    if (found != expected && different++ == 0) {
      ADD_FAILURE() << std::hex << a << " * " << b << " + " << c << ": " << found << ", not "
                    << expected;
    }
    const uint32_t magnitude = expected & ~kSignBit;
    ++results.at(magnitude == 0               ? 0
                 : magnitude < 0x00800000     ? 1
                 : magnitude < kInfinityBits  ? 2
                 : magnitude == kInfinityBits ? 3
                                              : 4);
  }
};

TEST(Fp32Fma, EqualsTheHostsOnRandomPatterns) {
  Operands operands(1);
  Count count;
  for (int i = 0; i < 2'000'000; ++i) {
    const uint64_t bits = operands.bits();
    count.compare(static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32),
                  static_cast<uint32_t>(operands.bits()));
  }
  EXPECT_EQ(count.different, 0);
  EXPECT_GT(count.results[4], 0);
}

TEST(Fp32Fma, EqualsTheHostsAtEveryDistanceOfAddends) {
  Operands operands(2);
  Count count;
  for (int i = 0; i < 4'000'000; ++i) {
    const int32_t x = operands.between(0, 254);
    const int32_t y = operands.between(std::max(0, 127 - x - 60), std::min(254, 381 - x + 2));
    // The product's exponent field, and an addend near it.
    const int32_t z = x + y - 127 + operands.between(-54, 30);
    count.compare(operands.number(x), operands.number(y), operands.number(z));
  }
  EXPECT_EQ(count.different, 0);
  for (size_t result = 0; result < 4; ++result) {
    EXPECT_GT(count.results.at(result), 100) << result;
  }
}

TEST(Fp32Fma, EqualsTheHostsWhereAddendsCancel) {
  Operands operands(3);
  Count count;
  for (int i = 0; i < 2'000'000; ++i) {
    const int32_t x = operands.between(1, 253);
    const int32_t y = operands.between(std::max(0, 127 - x - 30), std::min(254, 381 - x));
    const uint32_t a = operands.number(x);
    const uint32_t b = operands.number(y);
    const uint32_t product = float_bits(bits_float(a) * bits_float(b));
    const auto off = static_cast<uint32_t>(operands.between(0, 2)) - 1;
    count.compare(a, b, (product + off) ^ kSignBit);
  }
  EXPECT_EQ(count.different, 0);
  EXPECT_GT(count.results[0], 1000) << "exact zeros";
  EXPECT_GT(count.results[1], 1000);
}

TEST(Fp32Fma, EqualsTheHostsWithSubnormalOperands) {
  Operands operands(4);
  Count count;
  for (int i = 0; i < 2'000'000; ++i) {
    const int32_t x = operands.between(0, 2);
    const int32_t y = operands.between(90, 180);
    const int32_t z = operands.between(0, 60);
    count.compare(operands.number(x), operands.number(y), operands.number(z));
    count.compare(operands.number(y), operands.number(x), operands.number(x));
  }
  EXPECT_EQ(count.different, 0);
  EXPECT_GT(count.results[1], 100'000);
}

TEST(Fp32Fma, EqualsTheHostsOnEveryTripleOfSpecials) {
  constexpr std::array<uint32_t, 20> kValues{
      0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x80800000,
      0x3F800000, 0xBF800000, 0x3F800001, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000,
      0x7FC00000, 0x7F800001, 0xFF800001, 0xFFFFFFFF, 0x33800000, 0xB3800000};
  Count count;
  for (const uint32_t a : kValues) {
    for (const uint32_t b : kValues) {
      for (const uint32_t c : kValues) {
        count.compare(a, b, c);
      }
    }
  }
  EXPECT_EQ(count.different, 0);
}

TEST(Fp32Fma, SignsOfZero) {
  constexpr uint32_t kMinusZero = kSignBit;
  constexpr uint32_t kOne = 0x3F800000;
  EXPECT_EQ(fp32_fma(kMinusZero, kOne, kMinusZero), kMinusZero);
  EXPECT_EQ(fp32_fma(kMinusZero, kOne, 0), 0U);
  EXPECT_EQ(fp32_fma(0, kOne, kMinusZero), 0U);
  EXPECT_EQ(fp32_fma(kOne, kOne, kOne | kSignBit), 0U) << "an exact zero";
  EXPECT_EQ(fp32_fma(0x00000001, 0x80000001, 0), kMinusZero) << "a negative sum rounds to zero";
}

/// Notes what every bus of the circuit carries.
class Buses final : public Probe {
 public:
  void on_bus(Site site, int64_t index, int32_t* lanes, int count) override {
    ASSERT_EQ(count, 1);
    note(site, index, lanes[0]);
  }
  void on_wide_bus(Site site, int64_t index, int64_t& value) override { note(site, index, value); }

  std::map<Site, int64_t> values;

 private:
  void note(Site site, int64_t index, int64_t value) {
    EXPECT_EQ(index, 3);
    EXPECT_TRUE(values.emplace(site, value).second) << site_record(site).name;
  }
};

TEST(Fp32Fma, NamesItsBuses) {
  Buses buses;
  const FmaTap<ProbeHooks> tap({ProbeHooks(buses), 3}, Site::kFmaProduct);
  // 1.5 * 1.5 - 2 = 0.25
  EXPECT_EQ(fp32_fma(0x3FC00000, 0x3FC00000, 0xC0000000, tap), 0x3E800000U);
  constexpr int kBuses = static_cast<int>(FmaBus::kResult) + 1;
  EXPECT_EQ(buses.values.size(), static_cast<size_t>(kBuses));
  EXPECT_EQ(buses.values.at(Site::kFmaProduct), INT64_C(0x900000000000));
  EXPECT_EQ(buses.values.at(Site::kFmaExponentDifference), 0);
  EXPECT_EQ(buses.values.at(Site::kFmaHigh), INT64_C(0x900000000000));
  EXPECT_EQ(buses.values.at(Site::kFmaLow), INT64_C(0x800000000000));
  EXPECT_EQ(buses.values.at(Site::kFmaAlignedLow), -(INT64_C(0x800000000000) << 3));
  EXPECT_EQ(buses.values.at(Site::kFmaSum), INT64_C(0x100000000000) << 3);
  EXPECT_EQ(buses.values.at(Site::kFmaKept), 0x800000);
  EXPECT_EQ(static_cast<uint32_t>(buses.values.at(Site::kFmaResult)), 0x3E800000U);
}

}  // namespace
}  // namespace nibblecore::hw
