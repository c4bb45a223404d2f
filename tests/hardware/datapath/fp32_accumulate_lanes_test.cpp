// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hw/datapath/fp32_accumulate.hpp"
#include "hw/datapath/fp32_pack.hpp"
#include "model/common/error.hpp"
#include "model/reference/exact_sum.hpp"
#include "tests/hardware/datapath/available_targets.hpp"

namespace nibblecore::hw {
namespace {

/// Accumulators and what they take in, lane by lane.
struct Lanes {
  std::vector<uint32_t> accumulators;
  std::vector<int32_t> sums;
  std::vector<int32_t> significands;
  std::vector<int32_t> exponents;
  std::vector<int32_t> nan;

  explicit Lanes(size_t count)
      : accumulators(count), sums(count), significands(count), exponents(count), nan(count) {}

  std::vector<uint32_t> run(SimdTarget target) const {
    std::vector<uint32_t> result = accumulators;
    fp32_accumulate_lanes(
        target, {result.size(), sums.data(), significands.data(), exponents.data(), nan.data()},
        result.data());
    return result;
  }

  /// By the definition: the exact sum, rounded once; NaN and infinity as docs/numerics.md has them.
  uint32_t defined(size_t i) const {
    const uint32_t magnitude = accumulators[i] & ~kSignBit;
    if (nan[i] != 0 || magnitude > kInfinityBits) {
      return kQuietNan;
    }
    if (magnitude == kInfinityBits) {
      return accumulators[i];
    }
    const std::array<ExactTerm, 2> terms{
        exact_term(accumulators[i]), ExactTerm{int64_t{sums[i]} * significands[i], exponents[i]}};
    return round_sum(terms.data(), terms.size());
  }
};

constexpr std::array<uint32_t, 14> kSpecials{
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x7F7FFFFF,
    0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7F800001, 0xFFC00000, 0x3F800000, 0x7FFFFFFF};

/// Scales and sums as the circuits before make them, over all exponents; one lane in 8 starts from
/// a special value, one in 64 has a NaN scale.
Lanes random_lanes(size_t count) {
  std::mt19937_64 random(12);
  Lanes lanes(count);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t bits = random();
    lanes.accumulators[i] = static_cast<uint32_t>(bits);
    if ((bits >> 32) % 8 == 0) {
      lanes.accumulators[i] = kSpecials[(bits >> 36) % kSpecials.size()];
    }
    lanes.nan[i] = (bits >> 44) % 64 == 0 ? 1 : 0;
    const uint64_t term = random();
    lanes.sums[i] = static_cast<int32_t>(term % 100'353) - 50'176;
    lanes.significands[i] = static_cast<int32_t>((term >> 20) % 226);
    lanes.exponents[i] = static_cast<int32_t>((term >> 32) % 601) - 300;
    if ((term >> 48) % 2 == 0) {
      // Near the accumulator, where cancellation and rounding work.
      const auto field = static_cast<int32_t>((lanes.accumulators[i] >> 23) & 0xFF);
      lanes.exponents[i] = field - 165 + static_cast<int32_t>((term >> 50) % 50);
      if ((term >> 56) % 4 == 0) {
        // A short term far above: only here the aligner's sticky bit decides.
        lanes.sums[i] = static_cast<int32_t>((term >> 58) % 7) - 3;
        lanes.significands[i] = 1;
        lanes.exponents[i] += 35;
      }
    }
  }
  return lanes;
}

TEST(Fp32AccumulateLanes, EveryTargetGivesTheRoundedExactSumInEveryLane) {
  constexpr size_t kCount = 1'600'000;
  const Lanes lanes = random_lanes(kCount);
  const std::vector<uint32_t> baseline = lanes.run(SimdTarget::kBaseline);
  int64_t different = 0;
  for (size_t i = 0; i < kCount; ++i) {
    different += baseline[i] == lanes.defined(i) ? 0 : 1;
  }
  EXPECT_EQ(different, 0);
  for (const SimdTarget target : test::available_targets()) {
    EXPECT_EQ(lanes.run(target) == baseline, true) << simd_target_name(target);
  }
}

TEST(Fp32AccumulateLanes, OneLaneIsTheSameCircuit) {
  constexpr size_t kCount = 160'000;
  const Lanes lanes = random_lanes(kCount);
  const std::vector<uint32_t> baseline = lanes.run(SimdTarget::kBaseline);
  int64_t different = 0;
  for (size_t i = 0; i < kCount; ++i) {
    const uint32_t one = fp32_accumulate(lanes.accumulators[i],
                                         lanes.sums[i] * lanes.significands[i], lanes.exponents[i]);
    different += (lanes.nan[i] != 0 ? kQuietNan : one) == baseline[i] ? 0 : 1;
  }
  EXPECT_EQ(different, 0);
}

TEST(Fp32AccumulateLanes, ATermTooWideInAnyLaneIsRefused) {
  for (const SimdTarget target : test::available_targets()) {
    for (size_t lane = 0; lane < 32; ++lane) {
      for (const int32_t sign : {1, -1}) {
        Lanes lanes(32);
        lanes.sums[lane] = sign * ((1 << 23) - 1);
        lanes.significands[lane] = 2;
        EXPECT_NO_THROW(lanes.run(target)) << "24 bits";
        lanes.sums[lane] = sign * (1 << 23);
        try {
          lanes.run(target);
          ADD_FAILURE() << simd_target_name(target) << ", lane " << lane;
        } catch (const InternalError& error) {
          EXPECT_NE(std::string(error.what()).find("accumulator term"), std::string::npos);
        }
      }
    }
  }
}

}  // namespace
}  // namespace nibblecore::hw
