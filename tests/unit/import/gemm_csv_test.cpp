// SPDX-License-Identifier: Apache-2.0
#include "model/import/gemm_csv.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_error.hpp"
#include "tests/unit/import/gzip_text.hpp"
#include "tests/unit/import/import_support.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ImportedTrace csv(const std::string& text, const ImportOptions& options = unmerged()) {
  return import_text(import_gemm_csv, text, options);
}

TEST(GemmCsv, ScaleSimWithBlanksSparsityAndNoLastNewline) {
  const ImportedTrace trace = csv(read_bytes(import_data("scale_sim_gemm.csv")));
  EXPECT_THAT(briefs(trace),
              ElementsAre("unknown/qkv fprop 128x384x96 01", "unknown/proj fprop 128x96x384 01",
                          "unknown/qkv fprop 128x384x96 01"));
  EXPECT_EQ(trace.counts.by_operator.at("row"), 3);
  EXPECT_EQ(trace.counts.by_kind.at(GemmKind::kFprop), 3);
}

TEST(GemmCsv, ColumnsInAnyOrderAndWithoutNames) {
  EXPECT_THAT(briefs(csv(read_bytes(import_data("plain.csv")))),
              ElementsAre("unknown/row.0 fprop 1x32x64 01", "unknown/row.1 fprop 16x32x64 01"));
  EXPECT_THAT(briefs(csv("\xEF\xBB\xBFk,Layer Name,m,n\n3,caf\xC3\xA9,1,2\n")),
              ElementsAre("unknown/caf\xC3\xA9 fprop 1x2x3 01"));
}

TEST(GemmCsv, OptionsAndGzip) {
  ImportOptions options;
  options.phase = "train";
  options.unquantized = "head";
  const ImportedTrace trace = csv(gzip("Layer,M,N,K,\nq,1,2,3,\nhead,1,2,3,\nq,1,2,3,\n"), options);
  ASSERT_EQ(trace.records.size(), 2U);
  EXPECT_EQ(trace.records[0].count, 2);
  EXPECT_TRUE(trace.records[0].quantize);
  EXPECT_FALSE(trace.records[1].quantize);
  EXPECT_EQ(trace.records[1].phase, "train");
  options.merge = Merge::kShape;
  options.unquantized = std::nullopt;
  EXPECT_EQ(csv("Layer,M,N,K\nq,1,2,3\nk,1,2,3\n", options).records.size(), 1U);
}

TEST(GemmCsv, ConvolutionIsToldApart) {
  EXPECT_THAT(input_error([] { csv(read_bytes(import_data("scale_sim_convolution.csv"))); }),
              HasSubstr("f:1: is the header of SCALE-Sim's convolution format"));
}

TEST(GemmCsv, MalformedFiles) {
  const auto refusal = [](const std::string& text) { return input_error([&] { csv(text); }); };
  EXPECT_EQ(refusal(""), "f: is empty");
  EXPECT_EQ(refusal("\n \r\n"), "f: is empty");
  EXPECT_EQ(refusal("M,N,K\n"), "f: has a header and no row");
  EXPECT_THAT(refusal("q,1,2,3\n"), HasSubstr("f:1: is no header with the columns M, N and K"));
  EXPECT_THAT(refusal("M,N\n1,2\n"), HasSubstr("\"k\" is missing"));
  EXPECT_THAT(refusal("M,N,K,m\n1,2,3,4\n"), HasSubstr("f:1: has the column \"m\" twice"));
  EXPECT_THAT(refusal("M,N,K\n1,2,3\n\n1,2\n"), HasSubstr("f:4: has 2 fields, not the 3"));
  for (const char* const number : {"0", "-1", "1.5", "1e3", "", "x", "9223372036854775808", "+1"}) {
    EXPECT_THAT(refusal("M,N,K\n1," + std::string(number) + ",3\n"),
                HasSubstr("f:2, column N: is \"" + std::string(number) + "\", not a positive"));
  }
  EXPECT_THAT(refusal("M,N,K\n9223372036854775807,2,1\n"), HasSubstr("f:2, M * N * K"));
  EXPECT_THAT(refusal("Layer,M,N,K\n,1,2,3\n"), HasSubstr("f:2, column Layer: is empty"));
  EXPECT_THAT(refusal("Layer,M,N,K\n" + std::string(1025, 'x') + ",1,2,3\n"),
              HasSubstr("f:2, column Layer: is longer"));
}

}  // namespace
}  // namespace nibblecore
