// SPDX-License-Identifier: Apache-2.0
// Worked examples with published operands: rows of files that other projects' quantizers wrote, and
// outputs of block-scaled MMA tiles, with results computed exactly elsewhere.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/emulate/gemm.hpp"

namespace nibblecore {
namespace {

std::vector<uint8_t> bytes_of(const std::string& hex) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

/// The first `k` elements of a row given in hexadecimal.
PackedMatrix row_of(const BlockFormat& format, int64_t k, const std::string& codes,
                    const std::string& scales) {
  PackedMatrix row = make_packed_matrix(format, 1, k);
  const std::vector<uint8_t> code_bytes = bytes_of(codes);
  const std::vector<uint8_t> scale_bytes = bytes_of(scales);
  row.codes.assign(code_bytes.begin(), code_bytes.begin() + row.code_stride());
  row.scales.assign(scale_bytes.begin(), scale_bytes.begin() + row.scale_stride());
  return row;
}

uint32_t dot(const PackedMatrix& a, const PackedMatrix& b, uint32_t c) {
  uint32_t d = 0;
  emulate_gemm(a, b, Accumulation::kFp32Rne, &c, &d, 1);
  return d;
}

TEST(EmulateGemmExamples, Hif4UnitPairs) {
  struct Pair {
    const char* a;
    const char* b;
    uint32_t dot;
  };
  const Pair pairs[] = {
      {"91ffd7b91a51db09986af10dc6231e8b516b19be9461d3c85451deab16acfb84cb1bb159",
       "92d7f7a580f9297a491a6192e12ab542ecca35cf530e4c4a1c061cfeb3c19693f2b94ae2", 0xB700E800},
      {"92d6e6721f569433982799ebe78438c8bd6775a5330121354f274c1764894b580cbcd0d1",
       "b8ff7ff7e1b100249ac7a18d220f5214959d916ff6a19bea360830864912c9582845cc28", 0xBB100000},
      {"92efe5e70ea35553cd211635ff151c3995a1925447fe359640ab22116fc271c32b9c198e",
       "bd3bb5fa78992881152881e3243e141aa32c5d087cac9c8129b5d18827b21cadd13095b0", 0xBC8F7000},
      {"c018410958a97aa4c828194afe19f61f91d84991f421211a403bc32365b1bf32db79c02b",
       "bf43c9688d1bc5181adc07a9aa3b0caa2a5a9925462d940cb31c184929292c114901ea3c", 0xC154A000},
      {"dc4000100098808008808000008080800188008880009808000b00000700000b80880188",
       "c70880001991a19998aa1981aa119989989118071aa81109129180008998011a88808008", 0xC4050000},
      {"c1fda7fe41cc241944ca44f4acca2429c47c44a42aa2144c94c12c21c9c99971449c941c",
       "bafffefbd2be54d3768441046ebb3f1b6a45a72ce65fe5c9517d62853d92b37e39da33cd", 0x4237C000},
      {"b6ffffffdb2896459e3543ed467aa622edb52b4e341591cdc6aad4e55e24a3d8698386e3",
       "b6ffffffdb2896459e3543ed467aa622edb52b4e341591cdc6aad4e55e24a3d8698386e3", 0x42190000},
      {"c2fff7fbd52c04581d664275d641a1aea645151eb246d6d6963166e11c522561dd595240",
       "00ffffff3a7ad512ded4fc927b75bbc9e2ff47ab5fb3455bba5a9e9ab42df4283538d28d", 0xAB184000}};
  for (const Pair& pair : pairs) {
    const std::string a = pair.a;
    const std::string b = pair.b;
    EXPECT_EQ(dot(row_of(kHif4, 64, a.substr(8), a.substr(0, 8)),
                  row_of(kHif4, 64, b.substr(8), b.substr(0, 8)), 0),
              pair.dot)
        << a;
  }
}

TEST(EmulateGemmExamples, Mxfp4BlockPairs) {
  const auto block_dot = [](const char* a, const char* a_scale, const char* b, const char* b_scale,
                            uint32_t c) {
    return dot(row_of(kMxfp4, 32, a, a_scale), row_of(kMxfp4, 32, b, b_scale), c);
  };
  EXPECT_EQ(block_dot("3c72fd1bb87de10df7552d8b737e1bdf", "7d", "a451b2a83231debc16adec94aa1ab15a",
                      "7e", 0),
            0x40AB0000U);
  EXPECT_EQ(block_dot("91ea296b5a1b4192e23bc553cbba24bd", "7e", "ec8309b91abca98cc9f91d5ca45a2c9c",
                      "7e", 0),
            0xC0280000U);
  EXPECT_EQ(block_dot("cd4cf52675d47919f06beae5f4ac655c", "b5", "a31482818040289e1088180108802fa1",
                      "80", 0),
            0xDD220000U);
  // 38 * 2^-227: far below FP32, but it is positive and so is the zero that it rounds to.
  for (const uint32_t c : {0x00000000U, 0x80000000U}) {
    EXPECT_EQ(block_dot("9180399198a8c102809a129181102981", "00",
                        "45828f17129a9e22a99386c4ccb248ae", "1d", c),
              0x00000000U);
  }
}

TEST(EmulateGemmExamples, AccumulatorAfterEachBlockOfAnNvfp4Tile) {
  const uint32_t accumulators[] = {0x42867A6D, 0x42D29A6D, 0x44163B4E, 0x44187A4E};
  for (int64_t blocks = 1; blocks <= 4; ++blocks) {
    const PackedMatrix a =
        row_of(kNvfp4, blocks * 16,
               "ef978032a49d2b189c43aeda4e5256e4524ece5fd004b3e55aabd98329325e2f", "5126552a");
    const PackedMatrix b =
        row_of(kNvfp4, blocks * 16,
               "6b15899c83bf235dd7684d18867685cb7d5b34c3fefc9210ee0ad4297a17457b", "284c423a");
    EXPECT_EQ(dot(a, b, 0xBE85935A), accumulators[blocks - 1]) << blocks << " blocks";
  }
}

TEST(EmulateGemmExamples, AccumulatorAfterEachBlockOfMxfp4Tiles) {
  struct Output {
    const char* a;
    const char* a_scale;
    const char* b;
    const char* b_scale;
    uint32_t c;
    uint32_t after_first;
    uint32_t after_second;
  };
  const Output outputs[] = {
      {"11b2f8e4c26f9a525f795d8da7ae0117ec17c5a0e3e6b0902d373b5df7453ccf", "6d84",
       "9cac07d405f5ab80700980be4ddd1f2f831494e32022a295c98f4956f6240644", "7e7f", 0xBA41721D,
       0xBA53721D, 0x4451FFF3},
      {"a361403d69a2c2dbad0b7b82c4b42a3c592f0259b131fc29a50af28b7578d02d", "807c",
       "e8cf1ee31ef90e3fd64802949f47b243be0ac8b197ad365924d1642f2966b389", "827f", 0x3E2D03FD,
       0xC39BEA60, 0xC39B2E60}};
  for (const Output& output : outputs) {
    EXPECT_EQ(dot(row_of(kMxfp4, 32, output.a, output.a_scale),
                  row_of(kMxfp4, 32, output.b, output.b_scale), output.c),
              output.after_first);
    EXPECT_EQ(dot(row_of(kMxfp4, 64, output.a, output.a_scale),
                  row_of(kMxfp4, 64, output.b, output.b_scale), output.c),
              output.after_second);
  }
}

}  // namespace
}  // namespace nibblecore
