// SPDX-License-Identifier: Apache-2.0
#include "model/trace/dtype.hpp"

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

TEST(DType, EveryNameLeadsBackToItsType) {
  for (const DTypeRecord& record : kDTypes) {
    EXPECT_EQ(find_dtype(record.name), record.dtype) << record.name;
    EXPECT_EQ(name_of(record.dtype), record.name);
    EXPECT_EQ(bits_of(record.dtype), record.bits) << record.name;
  }
}

TEST(DType, SizesThatNamesDontSay) {
  EXPECT_EQ(bits_of(DType::kBool), 8);
  EXPECT_EQ(bits_of(DType::kF6E3m2), 6);
  EXPECT_EQ(bits_of(DType::kBf16), 16);
  EXPECT_EQ(bits_of(DType::kC64), 64);
}

TEST(DType, NamesAreCaseSensitiveAndWhole) {
  EXPECT_EQ(find_dtype("bf16"), std::nullopt);
  EXPECT_EQ(find_dtype("F8"), std::nullopt);
  EXPECT_EQ(find_dtype(""), std::nullopt);
}

}  // namespace
}  // namespace nibblecore
