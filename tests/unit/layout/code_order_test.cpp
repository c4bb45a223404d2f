// SPDX-License-Identifier: Apache-2.0
#include "model/layout/code_order.hpp"

#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using Bytes = std::vector<uint8_t>;

constexpr CodeOrder kOrders[] = {CodeOrder::kLowFirst, CodeOrder::kHighFirst,
                                 CodeOrder::kSplitHalves, CodeOrder::kUnpacked};

/// A block whose element i has the code i mod 16.
Bytes counting_block(int block) {
  Bytes codes(static_cast<size_t>(block / 2));
  for (int i = 0; i < block; ++i) {
    set_packed_code(codes.data(), i, static_cast<uint8_t>(i % 16));
  }
  return codes;
}

/// Bytes that were not zero before.
Bytes written(CodeOrder order, int block, const Bytes& low_first) {
  Bytes bytes(static_cast<size_t>(code_bytes(order, block)), 0xEE);
  write_codes(order, block, low_first.data(), bytes.data());
  return bytes;
}

Bytes twice(const Bytes& half) {
  Bytes whole = half;
  whole.insert(whole.end(), half.begin(), half.end());
  return whole;
}

TEST(CodeOrder, CountingBlockOf32ByHand) {
  const Bytes block = counting_block(32);
  EXPECT_EQ(written(CodeOrder::kLowFirst, 32, block),
            twice({0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE}));
  EXPECT_EQ(written(CodeOrder::kHighFirst, 32, block),
            twice({0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF}));
  EXPECT_THAT(written(CodeOrder::kSplitHalves, 32, block),
              ElementsAre(0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB,
                          0xCC, 0xDD, 0xEE, 0xFF));
  EXPECT_EQ(written(CodeOrder::kUnpacked, 32, block),
            twice({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}));
}

TEST(CodeOrder, CountingBlockOf16ByHand) {
  EXPECT_THAT(written(CodeOrder::kSplitHalves, 16, counting_block(16)),
              ElementsAre(0x80, 0x91, 0xA2, 0xB3, 0xC4, 0xD5, 0xE6, 0xF7));
}

TEST(CodeOrder, FirstHalfIsLowAndSecondHalfHigh) {
  Bytes block(16);
  set_packed_code(block.data(), 1, 7);
  set_packed_code(block.data(), 17, 9);
  Bytes expected(16);
  expected[1] = 0x97;
  EXPECT_EQ(written(CodeOrder::kSplitHalves, 32, block), expected);
}

TEST(CodeOrder, EveryOrderComesBack) {
  std::mt19937 random(3);
  for (const CodeOrder order : kOrders) {
    for (const int block : {16, 32, 64}) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(order) << " of " << block);
      Bytes codes(static_cast<size_t>(block / 2));
      for (uint8_t& byte : codes) {
        byte = static_cast<uint8_t>(random());
      }
      Bytes back(codes.size(), 0xEE);
      read_codes(order, block, written(order, block, codes).data(), back.data(), "x");
      EXPECT_THAT(back, ElementsAreArray(codes));
    }
  }
}

TEST(CodeOrder, UnpackedCodeAbove15IsAnError) {
  Bytes bytes(16);
  Bytes codes(8);
  bytes[15] = 15;
  read_codes(CodeOrder::kUnpacked, 16, bytes.data(), codes.data(), "x");
  EXPECT_EQ(codes[7], 0xF0);
  bytes[15] = 16;
  try {
    read_codes(CodeOrder::kUnpacked, 16, bytes.data(), codes.data(), "tensor 'x'");
    ADD_FAILURE() << "accepted 16";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "tensor 'x': byte 16 is no 4-bit code (0 to 15)");
  }
}

}  // namespace
}  // namespace nibblecore
