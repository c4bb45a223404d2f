// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "model/interface/nibblecore/nibblecore.h"
#include "model/reference/gemm.hpp"
#include "tests/support/random_matrix.hpp"
#include "tests/unit/interface/random_values.hpp"

namespace nibblecore {
namespace {

constexpr size_t kOutputs = 12;

/// Arguments of both multiplying functions, right until changed.
struct Call {
  std::mt19937 random{5};
  PackedMatrix a = test::random_matrix(kMxfp4, 3, 128, random);
  PackedMatrix b = test::random_matrix(kMxfp4, 4, 128, random);
  std::vector<float> start = test::random_values(kOutputs, random);
  std::vector<float> result = std::vector<float>(kOutputs, -1);
  std::vector<uint8_t> losses = std::vector<uint8_t>(kOutputs, 99);
  const char* format = "mxfp4";
  int block = 0;
  const char* scale = nullptr;
  const char* policy = "fp32-rne";
  const char* engine = "emulator";
  int64_t m = 3;
  int64_t n = 4;
  int64_t k = 128;
  const uint8_t* a_codes = a.codes.data();
  const uint8_t* b_scales = b.scales.data();
  int64_t a_scales_size = 12;
  int64_t b_codes_size = 256;
  const float* c = start.data();
  float* d = result.data();
  uint8_t* truncation = losses.data();
  int threads = 2;

  Call() = default;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  int mma() const {
    return nibblecore_mma(format, block, scale, policy, engine, m, n, k, a_codes, 192,
                          a.scales.data(), a_scales_size, a.tensor_scale, b.codes.data(),
                          b_codes_size, b_scales, 16, b.tensor_scale, c, d, truncation, threads);
  }
  /// Of the first row of A and of B.
  int dot(uint32_t* to) const {
    return nibblecore_dot(format, block, scale, policy, k, a_codes, 64, a.scales.data(),
                          a_scales_size - 8, b.codes.data(), b_codes_size - 192, b_scales, 4,
                          0x3FC00000, to);
  }
};

TEST(CInterface, MultipliesAsTheGoldenReference) {
  for (const AccumulationRecord& record : kAccumulations) {
    for (const char* const engine : {"emulator", "reference"}) {
      Call call;
      call.policy = record.name.data();
      call.engine = engine;
      call.a.tensor_scale = 0.3F;
      call.b.tensor_scale = 1.7F;
      std::vector<uint32_t> expected = test::bits_of(call.start);
      std::vector<uint8_t> losses(kOutputs);
      reference_gemm(call.a, call.b, record.accumulation, expected.data(), expected.data(), 1, {},
                     losses.data());
      ASSERT_EQ(call.mma(), NIBBLECORE_OK) << nibblecore_last_error();
      EXPECT_EQ(test::bits_of(call.result), expected);
      EXPECT_EQ(call.losses, losses);
      // In place, and without a report.
      call.truncation = nullptr;
      call.d = call.start.data();
      ASSERT_EQ(call.mma(), NIBBLECORE_OK);
      EXPECT_EQ(test::bits_of(call.start), expected);
    }
  }
}

TEST(CInterface, MultipliesOtherBlocksAndScalesFromZero) {
  Call call;
  call.a.format = call.b.format = make_block_format("mxfp4", 32, "ue4m3");
  call.scale = "ue4m3";
  call.c = nullptr;
  std::vector<uint32_t> expected(kOutputs);
  reference_gemm(call.a, call.b, Accumulation::kFp32Rne, nullptr, expected.data(), 1);
  ASSERT_EQ(call.mma(), NIBBLECORE_OK) << nibblecore_last_error();
  EXPECT_EQ(test::bits_of(call.result), expected);
}

TEST(CInterface, DotIsOneOutputWithoutTensorScales) {
  for (const AccumulationRecord& record : kAccumulations) {
    Call call;
    call.policy = record.name.data();
    std::vector<uint32_t> expected(kOutputs, 0x3FC00000);
    reference_gemm(call.a, call.b, record.accumulation, expected.data(), expected.data(), 1);
    uint32_t d = 0;
    ASSERT_EQ(call.dot(&d), NIBBLECORE_OK) << nibblecore_last_error();
    EXPECT_EQ(d, expected[0]);
  }
}

/// The message where `change` makes the call wrong; nothing may be written then.
template <typename Change>
std::string mma_error(const Change& change) {
  Call call;
  change(call);
  EXPECT_EQ(call.mma(), NIBBLECORE_BAD_INPUT);
  EXPECT_EQ(call.result, std::vector<float>(kOutputs, -1));
  EXPECT_EQ(call.losses, std::vector<uint8_t>(kOutputs, 99));
  return nibblecore_last_error();
}

template <typename Change>
std::string dot_error(const Change& change) {
  Call call;
  change(call);
  uint32_t d = 17;
  EXPECT_EQ(call.dot(call.d == nullptr ? nullptr : &d), NIBBLECORE_BAD_INPUT);
  EXPECT_EQ(d, 17U);
  return nibblecore_last_error();
}

TEST(CInterface, BothRefuseWrongOperands) {
  const auto expect = [](const auto& change, const std::string& message) {
    EXPECT_EQ(mma_error(change), message);
    EXPECT_EQ(dot_error(change), message);
  };
  expect([](Call& c) { c.format = nullptr; }, "format: must not be null");
  expect([](Call& c) { c.format = "int4"; },
         "--format: unknown name 'int4' (known: mxfp4, hif4, nvfp4)");
  expect([](Call& c) { c.block = 24; },
         "--block: blocks of 24 are not offered for --format mxfp4 (16, 32, 64)");
  expect([](Call& c) { c.scale = "hif4"; }, "--scale: 'hif4' does not go with --format mxfp4");
  expect([](Call& c) { c.policy = nullptr; }, "policy: must not be null");
  expect([](Call& c) { c.k = 100; }, "K: 100 is not a multiple of the block of 32");
  expect([](Call& c) { c.k = -32; }, "k: -32 is not positive");
  expect([](Call& c) { c.d = nullptr; }, "d: must not be null");
  expect([](Call& c) { c.a_codes = nullptr; }, "a_codes: must not be null");
  expect([](Call& c) { c.b_scales = nullptr; }, "b_scales: must not be null");
  expect(
      [](Call& c) {
        c.policy = "blackwell";
        c.k = 96;
      },
      "K: 96 is not a multiple of the 64 that one instruction of policy 'blackwell' adds");
  expect(
      [](Call& c) {
        c.policy = "blackwell";
        c.block = 64;
      },
      "--accumulate: policy 'blackwell' takes E2M1 elements in blocks of 16 or 32");
  const auto fp64 = [](Call& c) { c.policy = "fp64"; };
  EXPECT_EQ(mma_error(fp64).find("--accumulate: unknown name 'fp64'"), 0U);
  EXPECT_EQ(dot_error(fp64).find("--accumulate: unknown name 'fp64'"), 0U);
}

TEST(CInterface, BothRefuseWrongSizes) {
  const auto shorter = [](Call& c) { --c.a_scales_size; };
  EXPECT_EQ(mma_error(shorter), "a_scales_size: 11 bytes, expected 12");
  EXPECT_EQ(dot_error(shorter), "a_scales_size: 3 bytes, expected 4");
  const auto longer = [](Call& c) { ++c.b_codes_size; };
  EXPECT_EQ(mma_error(longer), "b_codes_size: 257 bytes, expected 256");
  EXPECT_EQ(dot_error(longer), "b_codes_size: 65 bytes, expected 64");
}

TEST(CInterface, MmaRefusesItsOwnArguments) {
  EXPECT_EQ(mma_error([](Call& c) { c.m = 0; }), "m: 0 is not positive");
  EXPECT_EQ(mma_error([](Call& c) { c.n = -4; }), "n: -4 is not positive");
  EXPECT_EQ(mma_error([](Call& c) { c.m = INT64_MAX; }).find("matrix of 9223372036854775807"), 0U);
  EXPECT_EQ(mma_error([](Call& c) { c.engine = nullptr; }), "engine: must not be null");
  EXPECT_EQ(mma_error([](Call& c) { c.engine = "systemc"; }),
            "--engine: unknown name 'systemc' (known: emulator, reference)");
  EXPECT_EQ(mma_error([](Call& c) { c.threads = -2; }), "threads: -2 is negative");
}

}  // namespace
}  // namespace nibblecore
