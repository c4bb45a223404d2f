// SPDX-License-Identifier: Apache-2.0
#include "model/trace/tensor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;

constexpr int64_t kTwoTo32 = int64_t{1} << 32;

TEST(Tensor, BytesOfShapes) {
  EXPECT_EQ(tensor_bytes(DType::kF32, {}, ""), 4);
  EXPECT_EQ(tensor_bytes(DType::kBf16, {3, 5}, ""), 30);
  EXPECT_EQ(tensor_bytes(DType::kF4, {3, 2}, ""), 3);
  EXPECT_EQ(tensor_bytes(DType::kF6E2m3, {4}, ""), 3);
  EXPECT_EQ(tensor_bytes(DType::kF32, {0, kTwoTo32, kTwoTo32}, ""), 0);
}

TEST(Tensor, PartsOfBytesAreRefused) {
  EXPECT_THAT(input_error([] { tensor_bytes(DType::kF4, {3}, "x"); }),
              HasSubstr("x: [3] of F4 takes 12 bits"));
  EXPECT_THAT(input_error([] { tensor_bytes(DType::kF6E3m2, {2}, "x"); }), HasSubstr("12 bits"));
}

TEST(Tensor, OverflowAndNegativeEntriesAreRefused) {
  EXPECT_THAT(input_error([] {
                tensor_bytes(DType::kU8, {kTwoTo32, kTwoTo32}, "x");
              }),
              HasSubstr("does not fit 64 bits"));
  EXPECT_THAT(input_error([] {
                tensor_bytes(DType::kU8, {-1, -1}, "x");
              }),
              HasSubstr("negative entry in [-1, -1]"));
}

}  // namespace
}  // namespace nibblecore
