// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/campaign.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "tb/fault/campaign_report.hpp"
#include "tests/hardware/simulation_test.hpp"

namespace nibblecore::tb {
namespace {

std::vector<FaultKind> stuck() { return {FaultKind::kStuckAt0, FaultKind::kStuckAt1}; }

FaultStimuli random_stimuli(const BlockFormat& format) {
  FaultStimuli stimuli;
  add_random_stimuli(format, 3, stimuli);
  return stimuli;
}

std::vector<FaultResult> classified(Campaign& campaign, const std::vector<Fault>& faults) {
  std::vector<FaultResult> results;
  results.reserve(faults.size());
  for (const Fault& fault : faults) {
    results.push_back(campaign.classify(fault));
  }
  return results;
}

class CampaignTest : public test::SimulationTest {};

TEST_F(CampaignTest, AKnownFaultIsDetectedByAValue) {
  Campaign campaign(kMxfp4, 3, random_stimuli(kMxfp4));
  const FaultResult result = campaign.classify({hw::Site::kProduct, 0, 0, FaultKind::kStuckAt1});
  EXPECT_EQ(result.fault_class, FaultClass::kDetected);
  EXPECT_EQ(result.detection, Detection::kValue);
  EXPECT_EQ(result.stimulus, "dense");
}

TEST_F(CampaignTest, AValueBeyondItsBusIsAnAssertion) {
  // 5 bits hold -16 to 15, the declared width 15 magnitudes: 0 with the sign set is -16.
  Campaign campaign(kMxfp4, 3, random_stimuli(kMxfp4));
  const FaultResult first = campaign.classify({hw::Site::kAElement, 0, 4, FaultKind::kStuckAt1});
  EXPECT_EQ(first.fault_class, FaultClass::kDetected);
  FaultBench bench;
  FaultProbe probe({hw::Site::kAlignedHigh, 0, 50, FaultKind::kStuckAt1});
  FaultStimuli stimuli = random_stimuli(kMxfp4);
  EXPECT_NE(bench.run(*stimuli.front(), probe), Detection::kNone);
  probe.set({hw::Site::kAElement, 0, 4, FaultKind::kStuckAt1});
  bool asserted = false;
  for (const auto& stimulus : stimuli) {
    asserted = asserted || bench.run(*stimulus, probe) == Detection::kAssertion;
  }
  EXPECT_TRUE(asserted);
  probe.clear();
  EXPECT_EQ(bench.run(*stimuli.front(), probe), Detection::kNone) << "a sound core after errors";
}

TEST_F(CampaignTest, AConstantBitIsRedundantOneWayAndDetectedTheOther) {
  Campaign campaign(kMxfp4, 3, random_stimuli(kMxfp4));
  const FaultResult at_0 =
      campaign.classify({hw::Site::kAScaleSignificand, 0, 1, FaultKind::kStuckAt0});
  EXPECT_EQ(at_0.fault_class, FaultClass::kRedundant);
  EXPECT_FALSE(at_0.reason.empty());
  EXPECT_EQ(
      campaign.classify({hw::Site::kAScaleSignificand, 0, 1, FaultKind::kStuckAt1}).fault_class,
      FaultClass::kDetected);
}

TEST_F(CampaignTest, AFlipCanBeMaskedByTimeOrByArithmetic) {
  const FaultStimuli stimuli = random_stimuli(kHif4);
  const auto online = std::find_if(stimuli.begin(), stimuli.end(), [](const auto& stimulus) {
    return stimulus->program().spec().residual == ResidualPattern::kTwoOfFour;
  });
  FaultBench bench;
  BusRecord record;
  ASSERT_EQ(bench.run(**online, record), Detection::kNone);
  const std::vector<int64_t> cycles = record.cycles(hw::Site::kQuantizerMicroProduct, 0);
  ASSERT_FALSE(cycles.empty());
  // Only the exponent of a micro-exponent's product decides.
  FaultProbe probe({hw::Site::kQuantizerMicroProduct, 0, 3, FaultKind::kFlip, cycles.front()});
  EXPECT_EQ(bench.run(**online, probe), Detection::kNone);
  EXPECT_EQ(probe.changed(), 1);
  // At some time it does decide.
  const bool shown = std::any_of(cycles.begin(), cycles.end(), [&](int64_t cycle) {
    probe.set({hw::Site::kQuantizerMicroProduct, 0, 30, FaultKind::kFlip, cycle});
    return bench.run(**online, probe) == Detection::kValue;
  });
  EXPECT_TRUE(shown);
  probe.set({hw::Site::kQuantizerMicroProduct, 0, 30, FaultKind::kFlip, 100'000});
  EXPECT_EQ(bench.run(**online, probe), Detection::kNone);
  EXPECT_EQ(probe.changed(), 0) << "no such cycle";
}

TEST_F(CampaignTest, FlipsAreTriedAtSeveralTimes) {
  Campaign campaign(kMxfp4, 3, random_stimuli(kMxfp4));
  const FaultResult result = campaign.classify({hw::Site::kTerm, 2, 0, FaultKind::kFlip});
  EXPECT_EQ(result.fault_class, FaultClass::kDetected);
  const FaultResult again = campaign.classify({hw::Site::kTerm, 2, 0, FaultKind::kFlip});
  EXPECT_EQ(again.fault, result.fault) << "times follow from the seed";
}

TEST_F(CampaignTest, StimuliReachEveryInstanceOfEveryBus) {
  for (const BlockFormat& format : {kMxfp4, kHif4}) {
    FaultBench bench;
    std::vector<std::unique_ptr<BusRecord>> records;
    for (const auto& stimulus : random_stimuli(format)) {
      records.push_back(std::make_unique<BusRecord>());
      ASSERT_EQ(bench.run(*stimulus, *records.back()), Detection::kNone) << stimulus->name();
    }
    for (const hw::SiteRecord& site : hw::site_records()) {
      const int64_t instances = hw::site_instances(site.site, fault_extents(format));
      for (int64_t index = 0; index < instances; ++index) {
        EXPECT_TRUE(
            std::any_of(records.begin(), records.end(),
                        [&](const auto& record) { return record->carries(site.site, index); }))
            << site.name << ' ' << index;
      }
      for (const auto& record : records) {
        EXPECT_FALSE(record->carries(site.site, instances)) << site.name;
      }
    }
  }
}

TEST_F(CampaignTest, ASampleOfAllFaultsIsDetected) {
  struct Sample {
    BlockFormat format;
    int64_t count;
  };
  for (const Sample& sample : {Sample{kMxfp4, 220}, Sample{kHif4, 80}}) {
    Campaign campaign(sample.format, 1);
    const std::vector<Fault> faults =
        sample_faults(all_faults(sample.format, stuck()), sample.count, 11);
    const std::vector<FaultResult> results = classified(campaign, faults);
    ASSERT_EQ(static_cast<int64_t>(results.size()), sample.count);
    EXPECT_GE(count(results, false).coverage(), kLeastCoverage) << campaign_table(results);
  }
}

TEST_F(CampaignTest, NodeStimuliReachEveryInstanceOfTheBusesOfNodes) {
  for (const BlockFormat& format : {kMxfp4, kNvfp4}) {
    FaultBench bench;
    BusRecord record;
    const FaultStimuli stimuli = make_stimuli(format, 3, Accumulation::kBlackwell);
    ASSERT_EQ(bench.run(*stimuli.front(), record), Detection::kNone);
    for (const Fault& fault : all_faults(format, {FaultKind::kFlip}, Accumulation::kBlackwell)) {
      EXPECT_TRUE(record.carries(fault.site, fault.index)) << text(fault);
      EXPECT_EQ(hw::site_instances(fault.site, fault_extents(format)), 0) << text(fault);
    }
    for (const hw::SiteRecord& site : hw::site_records()) {
      const hw::SiteExtents extents = fault_extents(format, Accumulation::kBlackwell);
      EXPECT_FALSE(record.carries(site.site, hw::site_instances(site.site, extents))) << site.name;
    }
  }
}

TEST_F(CampaignTest, ASampleOfTheFaultsOfNodesIsDetected) {
  for (const BlockFormat& format : {kMxfp4, kNvfp4}) {
    Campaign campaign(format, 1, make_stimuli(format, 1, Accumulation::kBlackwell));
    const std::vector<Fault> faults =
        sample_faults(all_faults(format, stuck(), Accumulation::kBlackwell), 400, 11);
    const std::vector<FaultResult> results = classified(campaign, faults);
    EXPECT_EQ(count(results, false).of(FaultClass::kDetected), 400) << campaign_table(results);
  }
}

TEST_F(CampaignTest, WithoutDetectionACampaignFails) {
  const std::vector<Fault> faults = sample_faults(all_faults(kMxfp4, stuck()), 100, 5);
  Campaign none(kMxfp4, 1, {});
  const FaultCounts counts = count(classified(none, faults), false);
  EXPECT_EQ(counts.of(FaultClass::kDetected), 0);
  EXPECT_GT(counts.of(FaultClass::kMissed), 90);
  EXPECT_LT(counts.coverage(), kLeastCoverage);
}

TEST_F(CampaignTest, AStimulusThatShowsLittleDetectsTooFew) {
  FaultStimuli stimuli;
  FaultOperand a;
  FaultOperand b;
  a.packed = make_packed_matrix(kMxfp4, 2, 64);
  b.packed = make_packed_matrix(kMxfp4, 2, 64);
  stimuli.push_back(std::make_unique<FaultStimulus>("zeros", GemmSpec{2, 2, 64, kMxfp4},
                                                    preset(kMxfp4, ""), a, b));
  Campaign campaign(kMxfp4, 1, std::move(stimuli));
  const std::vector<Fault> faults = sample_faults(all_faults(kMxfp4, stuck()), 200, 5);
  const FaultCounts counts = count(classified(campaign, faults), false);
  EXPECT_GT(counts.of(FaultClass::kMissed), 150);
  EXPECT_LT(counts.coverage(), kLeastCoverage);
}

TEST_F(CampaignTest, SamplesFollowFromTheSeed) {
  const std::vector<Fault> all = all_faults(kHif4, stuck());
  const std::vector<Fault> sample = sample_faults(all, 50, 9);
  EXPECT_EQ(sample, sample_faults(all, 50, 9));
  EXPECT_NE(sample, sample_faults(all, 50, 10));
  EXPECT_EQ(sample_faults(sample, 1000, 1), sample) << "never more than there are";
}

}  // namespace
}  // namespace nibblecore::tb
