// SPDX-License-Identifier: Apache-2.0
// The proofs behind the rules, by exhaustion where the space allows it, and the rules against the
// stimuli.
#include "tb/fault/redundancy.hpp"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "hw/datapath/bf16_multiply.hpp"
#include "hw/datapath/e2m1_rounder.hpp"
#include "hw/datapath/e8m0_scale.hpp"
#include "hw/datapath/hif4_quantizer.hpp"
#include "hw/datapath/hif4_scale.hpp"
#include "hw/datapath/mxfp4_quantizer.hpp"
#include "hw/datapath/residual.hpp"
#include "tb/fault/campaign.hpp"
#include "tests/hardware/simulation_test.hpp"

namespace nibblecore::tb {
namespace {

using hw::Site;

bool is_constant(Site site, int bit, FaultKind kind, const BlockFormat& format) {
  return is_constant_bit({site, 0, bit, kind}, format);
}

/// Checks that a value of a bus agrees with every bit that is held to be constant.
void expect_constants(Site site, uint32_t value, const BlockFormat& format) {
  for (int bit = 0; bit < hw::site_record(site).bits; ++bit) {
    const bool set = ((value >> bit) & 1) != 0;
    EXPECT_FALSE(is_constant(site, bit, set ? FaultKind::kStuckAt0 : FaultKind::kStuckAt1, format))
        << hw::site_record(site).name << " bit " << bit << " of " << value;
  }
}

/// Gathers what one bus carries.
class Gather final : public hw::Probe {
 public:
  explicit Gather(Site site) : site_(site) {}
  void on_bus(Site site, int64_t /*index*/, int32_t* lanes, int count) override {
    if (site == site_) {
      values.insert(values.end(), lanes, lanes + count);
    }
  }
  void on_wide_bus(Site /*site*/, int64_t /*index*/, int64_t& /*value*/) override {}

  std::vector<int32_t> values;

 private:
  Site site_;
};

TEST(RedundancyTest, SignificandsOfAllScales) {
  for (int code = 0; code < 256; ++code) {
    const auto byte = static_cast<uint8_t>(code);
    const auto mx = static_cast<uint32_t>(hw::e8m0_fields(byte).significand);
    expect_constants(Site::kAScaleSignificand, mx, kMxfp4);
    expect_constants(Site::kBScaleSignificand, mx, kMxfp4);
    expect_constants(Site::kScaleSignificand, mx * mx, kMxfp4);
    const auto hif4 = static_cast<uint32_t>(hw::hif4_fields(byte).significand);
    expect_constants(Site::kAScaleSignificand, hif4, kHif4);
    expect_constants(Site::kBScaleSignificand, hif4, kHif4);
    for (uint32_t other = 4; other < 8; ++other) {
      expect_constants(Site::kScaleSignificand, hif4 * other, kHif4);
    }
  }
}

TEST(RedundancyTest, DecodedElementsOfAllCodesAndScales) {
  Gather gather(Site::kDecoded);
  const hw::QuantizerTap<hw::ProbeHooks> tap(hw::ProbeHooks(gather), 0, hw::QuantizerCircuit::kA);
  for (int scale = 0; scale < 256; ++scale) {
    Mxfp4Unit mx;
    mx.scale = static_cast<uint8_t>(scale);
    Hif4Unit hif4;
    hif4.e6m2 = static_cast<uint8_t>(scale);
    hif4.e1_8 = 0xF0;
    hif4.e1_16 = 0xCCCC;
    for (size_t i = 0; i < 64; ++i) {
      mx.codes[i % 32] = static_cast<uint8_t>(i % 16);
      hif4.codes[i] = static_cast<uint8_t>((i + i / 16 * 3) % 16);
    }
    gather.values.clear();
    hw::residual(std::array<uint32_t, 32>{}, mx, tap);
    ASSERT_EQ(gather.values.size(), 32U);
    for (const int32_t value : gather.values) {
      expect_constants(Site::kDecoded, static_cast<uint32_t>(value), kMxfp4);
    }
    for (int turn = 0; turn < 16; ++turn) {
      std::rotate(hif4.codes.begin(), hif4.codes.begin() + 1, hif4.codes.end());
      gather.values.clear();
      hw::residual(std::array<uint32_t, 64>{}, hif4, tap);
      for (const int32_t value : gather.values) {
        expect_constants(Site::kDecoded, static_cast<uint32_t>(value), kHif4);
      }
    }
  }
}

TEST(RedundancyTest, DistancesOfMxfp4) {
  Gather gather(Site::kQuantizerShift);
  const hw::QuantizerTap<hw::ProbeHooks> tap(hw::ProbeHooks(gather), 0, hw::QuantizerCircuit::kA);
  constexpr std::array<uint32_t, 5> kFractions{0, 1, 0x400000, 0x600000, 0x7FFFFF};
  for (const ScaleRuleRecord& rule : kExponentRules) {
    for (uint32_t field = 0; field < 255; ++field) {
      for (const uint32_t fraction : kFractions) {
        for (uint32_t first = 0; first <= field; first += 31) {
          std::array<uint32_t, 32> values{};
          for (uint32_t i = 0; i < 31; ++i) {
            values[i] = (std::min(field, first + i) << 23) | (i % 2 == 0 ? 0 : fraction);
          }
          values[31] = (field << 23) | fraction;
          hw::quantize_mxfp4_block(values, Mxfp4Rule{rule.rule, Rounding::kNearestEven, 0}, tap);
        }
      }
    }
  }
  const auto [least, largest] = std::minmax_element(gather.values.begin(), gather.values.end());
  EXPECT_EQ(*least, 20);
  EXPECT_EQ(*largest, 274);
  EXPECT_TRUE(is_constant(Site::kQuantizerShift, 9, FaultKind::kStuckAt0, kMxfp4));
}

TEST(RedundancyTest, LongDistancesOfMxfp4AreAlike) {
  // Scale 1: field f is distance 276 - f - 127. Sixteen more is the scale 2^16.
  constexpr std::array<uint32_t, 4> kFractions{0, 1, 0x400000, 0x7FFFFF};
  int compared = 0;
  for (const RoundingRecord& rounding : kDeterministicRoundings) {
    for (uint32_t field = 0; field < 255; ++field) {
      for (const uint32_t fraction : kFractions) {
        const uint32_t bits = (field << 23) | fraction;
        for (int scale = 0; scale < 239; ++scale) {
          const int distance = scale - 128 - (std::max<int>(static_cast<int>(field), 1) - 150);
          if (distance >= 20 && (distance & 16) == 0) {
            ASSERT_GE(distance, 32);
            ASSERT_EQ(hw::round_to_e2m1(bits, static_cast<uint8_t>(scale), rounding.rounding),
                      hw::round_to_e2m1(bits, static_cast<uint8_t>(scale + 16), rounding.rounding));
            ++compared;
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 10'000);
}

TEST(RedundancyTest, DistancesOfHif4ThatAreNegativeSaturate) {
  Gather distances(Site::kQuantizerShift);
  const hw::Tap<hw::ProbeHooks> tap{hw::ProbeHooks(distances), 0};
  int negative = 0;
  for (uint32_t field = 0; field < 255; ++field) {
    for (const uint32_t fraction : {0U, 0x7FFFFFU}) {
      for (int shift = 0; shift < 3; ++shift) {
        for (const RoundingRecord& rounding : kDeterministicRoundings) {
          const uint8_t code =
              hw::round_to_quarters((field << 23) | fraction, shift, rounding.rounding, tap);
          const int distance = distances.values.back();
          ASSERT_LT(distance, 256);
          ASSERT_GE(distance, -256);
          if (distance < 0) {
            ++negative;
            ASSERT_EQ(code, 7);
          }
        }
      }
    }
  }
  EXPECT_GT(negative, 100);
}

TEST(RedundancyTest, BusesOfHif4Scales) {
  for (int code = 0; code < 255; ++code) {
    expect_constants(Site::kQuantizerReciprocal, hw::hif4_reciprocal(static_cast<uint8_t>(code)),
                     kHif4);
  }
}

TEST(RedundancyTest, OnlyTheExponentOfAMicroProductDecides) {
  for (const uint32_t threshold : {0x40000000U, 0x40800000U}) {
    for (uint32_t field = 0; field < 255; ++field) {
      for (uint32_t fraction = 0; fraction < 0x800000; fraction += 0x1357) {
        const uint32_t product = (field << 23) | fraction;
        const bool reaches = product >= threshold;
        ASSERT_EQ((product | 0x7FFFFF) >= threshold, reaches);
        ASSERT_EQ((product & ~0x7FFFFFU) >= threshold, reaches);
      }
    }
  }
  for (int bit = 0; bit < 23; ++bit) {
    EXPECT_TRUE(redundancy({Site::kQuantizerMicroProduct, 0, bit, FaultKind::kStuckAt1}, kHif4));
  }
  EXPECT_FALSE(redundancy({Site::kQuantizerMicroProduct, 0, 23, FaultKind::kStuckAt1}, kHif4));
}

TEST(RedundancyTest, RulesHoldForTheirFormatAndBitsAlone) {
  EXPECT_TRUE(redundancy({Site::kAScaleSignificand, 0, 1, FaultKind::kStuckAt0}, kMxfp4));
  EXPECT_FALSE(redundancy({Site::kAScaleSignificand, 0, 1, FaultKind::kStuckAt1}, kMxfp4));
  EXPECT_FALSE(redundancy({Site::kAScaleSignificand, 0, 1, FaultKind::kStuckAt0}, kHif4));
  EXPECT_FALSE(redundancy({Site::kAScaleSignificand, 0, 1, FaultKind::kFlip}, kMxfp4));
  EXPECT_FALSE(redundancy({Site::kAScaleNan, 1, 0, FaultKind::kStuckAt0}, kHif4)) << "block 0";
  EXPECT_TRUE(redundancy({Site::kAScaleNan, 2, 0, FaultKind::kStuckAt0}, kHif4)) << "block 1";
}

class RedundancyStimuliTest : public test::SimulationTest {};

TEST_F(RedundancyStimuliTest, NoStimulusContradictsARule) {
  for (const BlockFormat& format : {kMxfp4, kHif4}) {
    FaultStimuli stimuli;
    add_random_stimuli(format, 21, stimuli);
    add_adder_stimuli(format, 21, stimuli);
    Campaign campaign(format, 21, std::move(stimuli));
    std::vector<Fault> redundant;
    for (const Fault& fault : all_faults(format, {FaultKind::kStuckAt0, FaultKind::kStuckAt1})) {
      if (redundancy(fault, format)) {
        redundant.push_back(fault);
      }
    }
    for (const Fault& fault : sample_faults(redundant, 60, 2)) {
      EXPECT_EQ(campaign.try_stimuli(fault).fault_class, FaultClass::kMissed) << text(fault);
      EXPECT_EQ(campaign.classify(fault).fault_class, FaultClass::kRedundant) << text(fault);
    }
  }
}

}  // namespace
}  // namespace nibblecore::tb
