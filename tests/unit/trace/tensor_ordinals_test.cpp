// SPDX-License-Identifier: Apache-2.0
#include "model/trace/tensor_ordinals.hpp"

#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

GemmRecord record_of(const TensorRef& a, const TensorRef& b) {
  GemmRecord record;
  record.a = a;
  record.b = b;
  return record;
}

TEST(TensorOrdinals, NumbersTensorsWhereTheyAreFirstNamed) {
  GemmRecord shape_only;
  const std::vector<GemmRecord> records{record_of({"f", "x"}, {"f", "w"}), shape_only,
                                        record_of({"f", "w"}, {"g", "x"}),
                                        record_of({"g", "y"}, {"f", "x"})};
  const TensorOrdinals ordinals(records);
  EXPECT_EQ(ordinals.of({"f", "x"}), 0U);
  EXPECT_EQ(ordinals.of({"f", "w"}), 1U);
  EXPECT_EQ(ordinals.of({"g", "x"}), 2U);
  EXPECT_EQ(ordinals.of({"g", "y"}), 3U);
  EXPECT_THROW(ordinals.of({"g", "w"}), InternalError);
}

}  // namespace
}  // namespace nibblecore
