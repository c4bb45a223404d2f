// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/site.hpp"

#include <set>
#include <string_view>

#include <gtest/gtest.h>

#include "hw/datapath/quantizer_widths.hpp"

namespace nibblecore::hw {
namespace {

constexpr SiteExtents kMxfp4Extents{2, 3, 64, kMxfp4, 2, 4};
constexpr SiteExtents kHif4Extents{2, 3, 64, kHif4, 1, 4};
constexpr SiteExtents kNodeExtents{2, 3, 128, kMxfp4, 2, 4, Accumulation::kBlackwell};

int declared_bits(const Bus& bus, Signedness signedness) {
  return bus.magnitude_bits + (signedness == Signedness::kSigned ? 1 : 0);
}

TEST(SiteTest, NamesAreDifferentAndRecordsInOrder) {
  std::set<std::string_view> names;
  for (const SiteRecord& record : site_records()) {
    EXPECT_TRUE(names.insert(record.name).second) << record.name;
    EXPECT_EQ(&site_record(record.site), &record);
    EXPECT_GE(record.bits, 1);
    EXPECT_LE(record.bits, 53);
    EXPECT_FALSE(axes_text(record.axes).empty());
  }
}

TEST(SiteTest, WidthsAreTheDeclaredOnes) {
  struct Declared {
    Site site;
    const Bus& bus;
  };
  const Declared all[] = {{Site::kAElement, kDoubledElement},
                          {Site::kBElement, kShiftedElement},
                          {Site::kResidualElement, kShiftedElement},
                          {Site::kProduct, kProduct},
                          {Site::kGroupSum, kGroupSum},
                          {Site::kBlockSum16, kBlockSum16},
                          {Site::kBlockSum32, kBlockSum32},
                          {Site::kBlockSum64, kBlockSum64},
                          {Site::kUnitSum, kUnitSum},
                          {Site::kResidualGroupSum, kSparseGroupSum},
                          {Site::kResidualBlockSum16, kSparseBlockSum16},
                          {Site::kResidualBlockSum32, kSparseBlockSum32},
                          {Site::kResidualBlockSum64, kSparseBlockSum64},
                          {Site::kResidualUnitSum, kSparseUnitSum},
                          {Site::kScaleSignificand, kScaleSignificand},
                          {Site::kScaleExponent, kScaleExponent},
                          {Site::kTerm, kTerm},
                          {Site::kAlignedSum, kAlignedSum},
                          {Site::kNodeTerm, kNodeTerm},
                          {Site::kNodeExponent, kNodeExponent},
                          {Site::kNodeGreatest, kNodeExponent},
                          {Site::kNodeAligned, kNodeAligned},
                          {Site::kNodeAlignedStart, kNodeAlignedStart},
                          {Site::kNodeSum, kNodeSum},
                          {Site::kFactorSignificand, kFactorSignificand},
                          {Site::kEpilogueSum, kFmaSum},
                          {Site::kFmaSum, kFmaSum},
                          {Site::kQuantizerMagnitude, kMagnitude},
                          {Site::kQuantizerMaximum, kMagnitude},
                          {Site::kQuantizerShift, kElementShift},
                          {Site::kQuantizerKept, kHalves},
                          {Site::kQuantizerCode, kElementCode},
                          {Site::kSelectedIndices, kQuadIndices}};
  for (const Declared& declared : all) {
    const SiteRecord& record = site_record(declared.site);
    EXPECT_EQ(record.bits, declared_bits(declared.bus, record.signedness)) << record.name;
  }
}

TEST(SiteTest, RoundersHaveTheirBusesInOneOrder) {
  const auto behind = [](Site first, int bus) {
    return site_record(static_cast<Site>(static_cast<int>(first) + bus));
  };
  for (int bus = 0; bus < 8; ++bus) {
    const SiteRecord adder = behind(Site::kLeadingZeros, bus);
    for (const Site first : {Site::kFmaLeadingZeros, Site::kEpilogueLeadingZeros}) {
      const SiteRecord other = behind(first, bus);
      EXPECT_EQ(adder.name.substr(adder.name.find('.')), other.name.substr(other.name.find('.')));
      EXPECT_EQ(adder.bits, other.bits);
    }
  }
}

TEST(SiteTest, InstancesFollowFromTheCore) {
  EXPECT_EQ(site_instances(Site::kACode, kMxfp4Extents), 64 * 2);
  EXPECT_EQ(site_instances(Site::kBCode, kMxfp4Extents), 128 * 3);
  EXPECT_EQ(site_instances(Site::kProduct, kMxfp4Extents), 64 * 6);
  EXPECT_EQ(site_instances(Site::kResidualProduct, kMxfp4Extents), 64 * 6);
  EXPECT_EQ(site_instances(Site::kBlockSum32, kMxfp4Extents), 2 * 6);
  EXPECT_EQ(site_instances(Site::kScaleExponent, kMxfp4Extents), 4 * 6);
  EXPECT_EQ(site_instances(Site::kUnitSum, kHif4Extents), 6);
  EXPECT_EQ(site_instances(Site::kResidualUnitSum, kHif4Extents), 2 * 6);
  EXPECT_EQ(site_instances(Site::kALevel3, kHif4Extents), 16 * 2);
  EXPECT_EQ(site_instances(Site::kAccumulator, kHif4Extents), 4 * 6);
  EXPECT_EQ(site_instances(Site::kAFactor, kHif4Extents), 2);
  EXPECT_EQ(site_instances(Site::kBFactor, kHif4Extents), 2 * 3);
  EXPECT_EQ(site_instances(Site::kFactorSignificand, kHif4Extents), 6);
  EXPECT_EQ(site_instances(Site::kEpilogueSum, kHif4Extents), 6);
  EXPECT_EQ(site_instances(Site::kFmaSum, kHif4Extents), 3);
  EXPECT_EQ(site_instances(Site::kQuantizerMagnitude, kMxfp4Extents), 2 * 3 * 32);
  EXPECT_EQ(site_instances(Site::kQuantizerMicroProduct, kHif4Extents), 3 * 24);
  EXPECT_EQ(site_instances(Site::kDifference, kHif4Extents), 64);
}

TEST(SiteTest, NodesHaveBusesOfTheirOwnInPlaceOfTheAddersAndResiduals) {
  EXPECT_EQ(site_instances(Site::kBlockSum16, kNodeExtents), 8 * 6);
  EXPECT_EQ(site_instances(Site::kGroupNonzero, kNodeExtents), 8 * 6);
  EXPECT_EQ(site_instances(Site::kNodeAligned, kNodeExtents), 4 * 6);
  EXPECT_EQ(site_instances(Site::kNodeSum, kNodeExtents), 6);
  EXPECT_EQ(site_instances(Site::kAccumulator, kNodeExtents), 4 * 6);
  EXPECT_EQ(site_instances(Site::kScaleExponent, kNodeExtents), 8 * 6);
  for (const Site site :
       {Site::kBlockSum32, Site::kTerm, Site::kAdderResult, Site::kResidualProduct,
        Site::kResidualAccumulator, Site::kFmaSum, Site::kDecoded, Site::kUnitSum}) {
    EXPECT_EQ(site_instances(site, kNodeExtents), 0) << site_record(site).name;
  }
  for (const Site site : {Site::kGroupNonzero, Site::kNodeTerm, Site::kNodeResult}) {
    EXPECT_EQ(site_instances(site, kMxfp4Extents), 0) << site_record(site).name;
  }
}

TEST(SiteTest, BusesOfOtherFormatsHaveNoInstance) {
  for (const Site site : {Site::kALevel2, Site::kUnitSum, Site::kQuantizerReciprocal,
                          Site::kBlockSum16, Site::kResidualBlockSum64}) {
    EXPECT_EQ(site_instances(site, kMxfp4Extents), 0) << site_record(site).name;
  }
  for (const Site site : {Site::kBlockSum32, Site::kResidualBlockSum32}) {
    EXPECT_EQ(site_instances(site, kHif4Extents), 0) << site_record(site).name;
  }
}

}  // namespace
}  // namespace nibblecore::hw
