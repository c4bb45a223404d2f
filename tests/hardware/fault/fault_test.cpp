// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/fault.hpp"

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "tb/fault/campaign.hpp"

namespace nibblecore::tb {
namespace {

std::string refusal(std::string_view text) {
  try {
    parse_fault(text, "--fault");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FaultTest, TextsComeBackAsTheyWere) {
  for (const Fault& fault : {Fault{hw::Site::kProduct, 12, 3, FaultKind::kStuckAt0},
                             Fault{hw::Site::kAlignedSum, 0, 52, FaultKind::kStuckAt1},
                             Fault{hw::Site::kAccumulator, 7, 31, FaultKind::kFlip, 100}}) {
    EXPECT_EQ(parse_fault(text(fault)), fault) << text(fault);
  }
  EXPECT_EQ(text({hw::Site::kAccumulator, 7, 31, FaultKind::kFlip, 100}),
            "accumulator:7:31:flip@100");
}

TEST(FaultTest, WrongTextsAreRefusedWithTheirReason) {
  EXPECT_NE(refusal("product:1:2").find("SITE:INDEX:BIT:KIND"), std::string::npos);
  EXPECT_NE(refusal("produkt:1:2:stuck_at_0").find("adder.sum"), std::string::npos)
      << "names the known sites";
  EXPECT_NE(refusal("product:-1:2:stuck_at_0").find("index '-1'"), std::string::npos);
  EXPECT_NE(refusal("product:1x:2:stuck_at_0").find("index '1x'"), std::string::npos);
  EXPECT_NE(refusal("product:1:9:stuck_at_0").find("bits 0 to 8"), std::string::npos);
  EXPECT_NE(refusal("product:1:2:stuck").find("stuck_at_1"), std::string::npos);
  EXPECT_NE(refusal("product:1:2:flip").find("flip@CYCLE"), std::string::npos);
  EXPECT_NE(refusal("product:1:2:flip@").find("cycle ''"), std::string::npos);
  EXPECT_NE(refusal("product:1:2:stuck_at_0@4").find("only a flip"), std::string::npos);
  EXPECT_EQ(refusal("product:1:8:flip@4"), "accepted");
}

TEST(FaultTest, InstancesThatTheCoreLacksAreRefused) {
  const hw::SiteExtents extents = fault_extents(kMxfp4);
  require_instance({hw::Site::kProduct, 255, 0, FaultKind::kStuckAt0}, extents);
  EXPECT_THROW(require_instance({hw::Site::kProduct, 256, 0, FaultKind::kStuckAt0}, extents),
               InputError);
  EXPECT_THROW(require_instance({hw::Site::kUnitSum, 0, 0, FaultKind::kStuckAt0}, extents),
               InputError)
      << "no data of MXFP4";
}

}  // namespace
}  // namespace nibblecore::tb
