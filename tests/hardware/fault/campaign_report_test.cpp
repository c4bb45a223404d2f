// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/campaign_report.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace nibblecore::tb {
namespace {

std::vector<FaultResult> results() {
  FaultResult detected{{hw::Site::kProduct, 3, 2, FaultKind::kStuckAt0}};
  detected.fault_class = FaultClass::kDetected;
  detected.detection = Detection::kValue;
  detected.stimulus = "dense, A";
  FaultResult redundant{{hw::Site::kAScaleSignificand, 0, 1, FaultKind::kStuckAt0}};
  redundant.fault_class = FaultClass::kRedundant;
  redundant.reason = "always 0";
  FaultResult missed{{hw::Site::kProduct, 4, 2, FaultKind::kStuckAt0}};
  missed.reason = "unseen";
  FaultResult masked{{hw::Site::kTerm, 0, 2, FaultKind::kFlip, 17}};
  masked.fault_class = FaultClass::kMasked;
  masked.masked_times = 8;
  return {detected, redundant, missed, masked};
}

std::string written(const char* name) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / name;
  write_campaign(path, results());
  std::ifstream file(path);
  std::stringstream content;
  content << file.rdbuf();
  std::filesystem::remove(path);
  return content.str();
}

TEST(CampaignReportTest, CoverageIsTheDetectedPartOfWhatIsNotRedundant) {
  const FaultCounts stuck = count(results(), false);
  EXPECT_EQ(stuck.total(), 3);
  EXPECT_EQ(stuck.of(FaultClass::kRedundant), 1);
  EXPECT_EQ(stuck.of(Detection::kValue), 1);
  EXPECT_EQ(stuck.coverage(), 0.5);
  const FaultCounts flips = count(results(), true);
  EXPECT_EQ(flips.total(), 1);
  EXPECT_EQ(flips.coverage(), 0.0);
  EXPECT_EQ(flips.masked_times, 8);
  EXPECT_EQ(count({}, false).coverage(), 1.0);
}

TEST(CampaignReportTest, TheTableNamesWhatWasNotDetected) {
  const std::string table = campaign_table(results());
  EXPECT_NE(table.find("stuck bits: 1 of 2 that are not redundant detected, 50.000 %"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("missed product:4:2:stuck_at_0: unseen"), std::string::npos) << table;
  EXPECT_NE(table.find("masked term:0:2:flip@17"), std::string::npos) << table;
}

TEST(CampaignReportTest, FilesHoldARecordAFault) {
  const std::string csv = written("nibblecore_faults.csv");
  EXPECT_NE(csv.find("product,3,2,stuck_at_0,,detected,value,\"dense, A\",\"\"\n"),
            std::string::npos)
      << csv;
  EXPECT_NE(csv.find("term,0,2,flip,17,masked,none"), std::string::npos) << csv;
  const std::string json = written("nibblecore_faults.json");
  EXPECT_NE(json.find(R"("site":"product","index":3,"bit":2,"kind":"stuck_at_0")"),
            std::string::npos)
      << json;
  EXPECT_NE(json.find(R"("cycle":17)"), std::string::npos) << json;
}

TEST(CampaignReportTest, TheSitesOfAFormatAreListed) {
  const std::string table = site_table(kMxfp4);
  EXPECT_NE(table.find("block_sum32"), std::string::npos);
  EXPECT_EQ(table.find("unit_sum"), std::string::npos);
}

}  // namespace
}  // namespace nibblecore::tb
