// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "tests/system/support/mma_input.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;

constexpr uint32_t kNan = 0x7FC00000;

class Mma : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  /// d of `input`, which holds c as F32 or U32.
  std::vector<uint32_t> run(const TensorFile& input, const MmaFormat& format,
                            const std::vector<int64_t>& shape, const Arguments& more) {
    input.write(path("in"));
    Arguments arguments{"mma", path("in"), "-o", path("out")};
    const Arguments options = format.options();
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err + run.out, "");
    EXPECT_THAT(folder_.entries(), ElementsAre("in", "out"));
    const SafetensorsFile file(path("out"));
    EXPECT_EQ(file.tensors().size(), 1U);
    EXPECT_EQ(file.tensor("d").dtype, DType::kU32);
    EXPECT_EQ(file.tensor("d").shape, shape);
    return elements_of<uint32_t>(file, "d");
  }

  std::vector<uint32_t> run(const MmaInput& input, const Arguments& more = {}) {
    return run(input.file(), input.format, {input.shape.tiles, input.shape.m, input.shape.n}, more);
  }

 private:
  TemporaryFolder folder_;
};

constexpr MmaFormat kMx{"Mxfp4Block32Ue8m0", "mxfp4", 32, "ue8m0"};
constexpr MmaFormat kHif4{"Hif4", "hif4", 64, "hif4"};

constexpr MmaFormat kFormats[] = {
    kMx,
    kHif4,
    {"Nvfp4Block16Ue4m3", "nvfp4", 16, "ue4m3"},
    {"Nvfp4Block16Ue8m0", "nvfp4", 16, "ue8m0"},
    {"Mxfp4Block32Ue4m3", "mxfp4", 32, "ue4m3"},
};

/// +-0, subnormals, the largest and the smallest numbers, infinities and NaNs.
constexpr std::array<uint32_t, 14> kSpecials{
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x80400000, 0x00800000,
    0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F800001};

/// Random codes. Tile 0 has scales over all their codes; tile 1 scales near 1, so that all that it
/// adds is of one size; tile 2 all codes against scales near 1. Every third c is special.
MmaInput random_input(const MmaFormat& format) {
  MmaInput input(format, {3, 5, 17, 192});
  std::mt19937 random(
      20240607);  // NOLINT(bugprone-random-generator-seed): the same input each time
  const auto byte = [&] { return static_cast<uint8_t>(random() & 0xFF); };
  // E8M0, UE4M3 and E6M2 codes of 1.
  const std::string scale = format.scale;
  const int one = scale == "ue8m0" ? 127 : scale == "ue4m3" ? 0x38 : 0xC0;
  const auto near_one = [&] {
    return static_cast<uint8_t>(one - 6 + static_cast<int>(random() % 13));
  };
  std::generate(input.a.begin(), input.a.end(), byte);
  std::generate(input.b.begin(), input.b.end(), byte);
  // Micro-exponents take any byte, the E6M2 code is the first of four.
  const size_t stride = scale == "hif4" ? 4 : 1;
  const auto fill = [&](std::vector<uint8_t>& scales, bool wide_in_last_tile) {
    const size_t tile_bytes = scales.size() / 3;
    for (size_t i = 0; i < scales.size(); ++i) {
      const size_t tile = i / tile_bytes;
      const bool wide = i % stride != 0 || tile == 0 || (tile == 2 && wide_in_last_tile);
      scales[i] = wide ? byte() : near_one();
    }
  };
  fill(input.a_scale, false);
  fill(input.b_scale, true);
  for (size_t i = 0; i < input.c.size(); ++i) {
    input.c[i] = i % 3 == 0
                     ? kSpecials[i / 3 % kSpecials.size()]
                     : float_bits(static_cast<float>(static_cast<int32_t>(random())) * 1e-9F);
  }
  return input;
}

class MmaFormats : public Mma, public testing::WithParamInterface<MmaFormat> {};

TEST_P(MmaFormats, EnginesGiveTheSameBits) {
  const MmaInput input = random_input(GetParam());
  const std::vector<uint32_t> reference = run(input, {"--engine", "reference"});
  EXPECT_EQ(run(input, {"--engine", "emulator"}), reference);
  EXPECT_EQ(run(input, {"--engine", "systemc"}), reference);
  EXPECT_EQ(run(input), reference);
  EXPECT_EQ(run(input, {"--engine", "emulator", "--threads", "1"}), reference);
  EXPECT_EQ(run(input, {"--engine", "reference", "--threads", "2"}), reference);

  // All kinds of results were compared.
  const auto count = [&](auto predicate) {
    return std::count_if(reference.begin(), reference.end(), predicate);
  };
  EXPECT_GE(count([](uint32_t bits) { return bits == kNan; }), 20);
  EXPECT_EQ(count([](uint32_t bits) { return (bits & 0x7FFFFFFF) > 0x7F800000 && bits != kNan; }),
            0);
  EXPECT_GE(count([](uint32_t bits) { return (bits & 0x7FFFFFFF) == 0x7F800000; }), 5);
  EXPECT_GE(count([](uint32_t bits) { return (bits & 0x7F800000) != 0x7F800000; }), 80);
}

TEST_P(MmaFormats, EachTileIsAProductOfItsOwn) {
  const MmaInput input = random_input(GetParam());
  const std::vector<uint32_t> together = run(input);
  for (int64_t tile = 0; tile < input.shape.tiles; ++tile) {
    MmaInput one(GetParam(), {1, input.shape.m, input.shape.n, input.shape.k});
    const auto take = [tile](const auto& from, auto& to) {
      const auto size = static_cast<int64_t>(to.size());
      std::copy_n(from.begin() + tile * size, size, to.begin());
    };
    take(input.a, one.a);
    take(input.a_scale, one.a_scale);
    take(input.b, one.b);
    take(input.b_scale, one.b_scale);
    take(input.c, one.c);
    std::vector<uint32_t> expected(one.c.size());
    take(together, expected);
    EXPECT_EQ(run(one), expected) << "tile " << tile;
  }
}

TEST_P(MmaFormats, InfinityStaysAndNanIsNan) {
  MmaInput input(GetParam(), {1, 1, 5, 64});
  input.c = {0x7F800000, 0xFF800000, 0x7F800001, 0xFFFFFFFF, 0x00000001};
  for (const char* const engine : {"reference", "emulator", "systemc"}) {
    SCOPED_TRACE(engine);
    EXPECT_THAT(run(input, {"--engine", engine}),
                ElementsAre(0x7F800000, 0xFF800000, kNan, kNan, 0x00000001));
  }
}

TEST_P(MmaFormats, NanScale) {
  MmaInput input(GetParam(), {1, 2, 2, 128});
  const std::string scale = GetParam().scale;
  const uint8_t nan_code = scale == "ue4m3" ? 0x7F : 0xFF;
  // Last block of the first row of A, first block of the second row of B.
  const size_t last = input.a_scale.size() / 2 - (scale == "hif4" ? 4 : 1);
  input.a_scale[last] = nan_code;
  input.b_scale[input.b_scale.size() / 2] = nan_code;
  for (const char* const engine : {"reference", "emulator", "systemc"}) {
    SCOPED_TRACE(engine);
    EXPECT_THAT(run(input, {"--engine", engine}), ElementsAre(kNan, kNan, 0, kNan));
  }
}

INSTANTIATE_TEST_SUITE_P(All, MmaFormats, testing::ValuesIn(kFormats),
                         [](const testing::TestParamInfo<MmaFormat>& test) {
                           return std::string(test.param.name);
                         });

TEST_F(Mma, Mxfp4ByHand) {
  // Element 0 is the low nibble: 1 * 6; element 1: 0.5 * 4. Scales 2 and 1/4. c = 0.5.
  MmaInput input(kMx, {1, 1, 2, 32});
  input.a[0] = 0x12;
  input.b[0] = 0x67;
  input.b[16] = 0x07;
  input.a_scale[0] = 128;
  input.b_scale = {125, 127};
  input.c = {float_bits(0.5F), float_bits(-12.0F)};
  for (const char* const engine : {"reference", "emulator", "systemc"}) {
    SCOPED_TRACE(engine);
    EXPECT_THAT(run(input, {"--engine", engine}), ElementsAre(float_bits(8.0F / 2 + 0.5F), 0));
  }
}

TEST_F(Mma, Hif4ByHand) {
  // E6M2 0xC0 = 1. In a, group 0 of both levels doubles twice: 1 * 4; b is 1.75 * 1.25 (0xC1).
  MmaInput input(kHif4, {1, 1, 1, 64});
  input.a[0] = 0x04;
  input.b[0] = 0x07;
  input.a_scale = {0xC0, 0x01, 0x01, 0x00};
  input.b_scale = {0xC1, 0x00, 0x00, 0x00};
  input.c = {float_bits(-1.0F)};
  for (const char* const engine : {"reference", "emulator", "systemc"}) {
    SCOPED_TRACE(engine);
    EXPECT_THAT(run(input, {"--engine", engine}), ElementsAre(float_bits(8.75F - 1.0F)));
  }
}

TEST_F(Mma, TypeOfCIsEitherOfTwo) {
  const MmaInput input = random_input(kMx);
  TensorFile file = input.file();
  file.set("c", DType::kF32, {3, 5, 17}, input.c);
  EXPECT_EQ(run(file, kMx, {3, 5, 17}, {}), run(input));
}

TEST_F(Mma, PoliciesRoundWhereTheySay) {
  // Blocks of 32 add 1 where `ones` says; from c = 2^24 an odd sum is a tie to even.
  MmaInput input(kMx, {1, 1, 2, 128});
  std::fill(input.a_scale.begin(), input.a_scale.end(), 127);
  std::fill(input.b_scale.begin(), input.b_scale.end(), 127);
  for (size_t block = 0; block < 4; ++block) {
    input.a[block * 16] = 0x02;
  }
  const std::vector<std::vector<size_t>> ones{{0, 1}, {0, 2}};
  for (size_t column = 0; column < 2; ++column) {
    for (const size_t block : ones[column]) {
      input.b[column * 64 + block * 16] = 0x02;
    }
  }
  const uint32_t start = float_bits(16777216.0F);
  const uint32_t next = float_bits(16777218.0F);
  input.c = {start, start};
  EXPECT_THAT(run(input, {"--accumulate", "fp32-rne"}), ElementsAre(start, start));
  EXPECT_THAT(run(input, {"--accumulate", "fp32-fused"}), ElementsAre(next, start));
  EXPECT_THAT(run(input, {"--accumulate", "exact"}), ElementsAre(next, next));
}

// -0.25 beside 2^33 lies in the last bits of the sum; beside 2^34 its alignment loses it.
TEST_F(Mma, TruncationSaysWhatWasLost) {
  MmaInput input(kMx, {2, 1, 2, 64});
  std::fill(input.a_scale.begin(), input.a_scale.end(), 127);
  std::fill(input.b_scale.begin(), input.b_scale.end(), 127);
  for (const size_t tile : {0, 1}) {
    input.a[tile * 32] = 0x09;
    input.b[tile * 64] = 0x01;
    input.b[tile * 64 + 32] = 0x02;
  }
  input.c = {float_bits(0x1p33F), float_bits(0x1p33F), float_bits(0x1p34F), float_bits(0.5F)};
  for (const std::string engine : {"reference", "emulator"}) {
    SCOPED_TRACE(engine);
    const Arguments options{"--accumulate", "blackwell", "--engine", engine};
    const std::vector<uint32_t> d = run(input, options);
    EXPECT_THAT(d, ElementsAre(0x4FFFFFFF, 0x4FFFFFFF, 0x50800000, 0));
    Arguments arguments{"mma", path("in"), "-o", path("out"), "--truncation"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const SafetensorsFile file(path("out"));
    EXPECT_EQ(file.tensors().size(), 2U);
    EXPECT_EQ(elements_of<uint32_t>(file, "d"), d);
    EXPECT_EQ(file.tensor("truncation").dtype, DType::kU8);
    EXPECT_THAT(file.tensor("truncation").shape, ElementsAre(2, 1, 2));
    EXPECT_THAT(elements_of<uint8_t>(file, "truncation"), ElementsAre(2, 2, 1, 0));
  }
}

TEST_F(Mma, NanOfPoliciesThatTruncate) {
  MmaInput input(kMx, {1, 1, 2, 64});
  input.c = {0x7FC00000, 0xFF800000};
  for (const char* const policy : {"blackwell", "blackwell-v1", "blackwell-mxf8f6f4"}) {
    EXPECT_THAT(run(input, {"--accumulate", policy}), ElementsAre(0x7FFFFFFF, 0xFF800000));
  }
}

TEST_F(Mma, FormatNamesOnlyTheElement) {
  const MmaInput input = random_input({"", "mxfp4", 16, "ue4m3"});
  MmaInput same = input;
  same.format.format = "nvfp4";
  EXPECT_EQ(run(input), run(same));
}

}  // namespace
}  // namespace nibblecore
