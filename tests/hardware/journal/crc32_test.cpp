// SPDX-License-Identifier: Apache-2.0
#include "tb/journal/crc32.hpp"

#include <gtest/gtest.h>

namespace nibblecore::tb {
namespace {

TEST(Crc32, IsThePublishedOne) {
  EXPECT_EQ(crc32({"123456789"}), 0xCBF43926U);  // the check value of CRC-32/ISO-HDLC
  EXPECT_EQ(crc32({}), 0U);
}

TEST(Crc32, OfPartsIsThatOfTheWhole) { EXPECT_EQ(crc32({"1234", {}, "56789"}), 0xCBF43926U); }

}  // namespace
}  // namespace nibblecore::tb
