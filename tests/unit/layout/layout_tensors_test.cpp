// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layout_tensors.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

using Shape = std::vector<int64_t>;

struct Expected {
  const char* name;
  RowAxis rows;
  Shape shape;
};

struct TensorCase {
  BlockFormat format;
  const char* layout;
  int64_t rows;
  int64_t k;
  std::vector<Expected> tensors;
};

TEST(LayoutTensors, NamesAndShapes) {
  constexpr RowAxis kFirst = RowAxis::kFirst;
  constexpr RowAxis kElsewhere = RowAxis::kElsewhere;
  const TensorCase cases[] = {
      {kMxfp4, "low-first", 3, 70, {{"codes", kFirst, {3, 48}}, {"scales", kFirst, {3, 3}}}},
      {kNvfp4, "high-first", 3, 70, {{"codes", kFirst, {3, 40}}, {"scales", kFirst, {3, 5}}}},
      {kHif4, "high-first", 3, 70, {{"codes", kFirst, {3, 64}}, {"scales", kFirst, {3, 8}}}},
      {kMxfp4, "split-halves", 3, 70, {{"codes", kFirst, {3, 48}}, {"scales", kFirst, {3, 3}}}},
      {kHif4, "unpacked", 3, 70, {{"codes", kFirst, {3, 128}}, {"scales", kFirst, {3, 8}}}},
      {kMxfp4, "gguf", 3, 96, {{"blocks", kFirst, {3, 3, 17}}}},
      {kNvfp4, "gguf", 3, 128, {{"blocks", kFirst, {3, 2, 36}}}},
      {kMxfp4,
       "swizzle-128x4",
       129,
       70,
       {{"codes", kFirst, {129, 48}}, {"scales", kElsewhere, {2, 1, 512}}}},
      {kMxfp4, "ascend-pairs", 3, 70, {{"codes", kFirst, {3, 48}}, {"scales", kFirst, {3, 2, 2}}}},
      {kHif4, "a6-zz", 33, 70, {{"codes", kFirst, {33, 64}}, {"scales", kElsewhere, {3, 2, 64}}}},
      {kHif4,
       "a6-nz",
       33,
       70,
       {{"codes", kElsewhere, {2, 33, 32}}, {"scales", kElsewhere, {3, 2, 64}}}},
      {kHif4, "msmodelslim", 3, 70, {{"codes", kFirst, {3, 64}}, {"scales", kFirst, {3, 8}}}},
      {kMxfp4, "gguf", 0, 0, {{"blocks", kFirst, {0, 0, 17}}}},
  };
  for (const TensorCase& test : cases) {
    SCOPED_TRACE(testing::Message() << test.format.name << " " << test.layout);
    const Layout& record = layout(test.format, test.layout);
    const auto tensors =
        layout_tensors(record, block_grid(record, test.format, test.rows, test.k, "x"));
    ASSERT_EQ(tensors.size(), test.tensors.size());
    for (size_t i = 0; i < tensors.size(); ++i) {
      EXPECT_EQ(tensors[i].name, test.tensors[i].name);
      EXPECT_EQ(tensors[i].rows, test.tensors[i].rows);
      EXPECT_EQ(tensors[i].shape, test.tensors[i].shape);
    }
  }
}

void expect_refused(const BlockFormat& format, const Layout& record, int64_t rows, int64_t k,
                    const std::string& message) {
  try {
    block_grid(record, format, rows, k, "here");
    ADD_FAILURE() << "accepted " << rows << " x " << k;
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("here: "));
    EXPECT_THAT(error.what(), testing::HasSubstr(message));
  }
}

TEST(LayoutTensors, RecordsRefuseRowsThatDoNotDivide) {
  const Layout& gguf = layout(kMxfp4, "gguf");
  expect_refused(kMxfp4, gguf, 1, 33, "rows of 33 elements do not divide into records of 32");
  expect_refused(kMxfp4, gguf, 1, 31, "records of 32");
  expect_refused(kNvfp4, gguf, 1, 48, "rows of 48 elements do not divide into records of 64");
  EXPECT_EQ(block_grid(gguf, kMxfp4, 1, 96, "x").record, 1);
  EXPECT_EQ(block_grid(gguf, kNvfp4, 1, 192, "x").record, 4);
}

TEST(LayoutTensors, RefusesAnotherFormat) {
  expect_refused(kHif4, layout(kMxfp4, "gguf"), 1, 64, "known: " + layout_names(kHif4));
}

TEST(LayoutTensors, RefusesSizesBeyond64BitsAndNegativeOnes) {
  const int64_t largest = std::numeric_limits<int64_t>::max();
  const Layout& swizzle = layout(kMxfp4, "swizzle-128x4");
  expect_refused(kMxfp4, swizzle, -1, 32, "negative");
  expect_refused(kMxfp4, swizzle, 1, -32, "negative");
  expect_refused(kMxfp4, swizzle, 1, largest, "does not fit 64 bits");
  expect_refused(kMxfp4, swizzle, int64_t{1} << 32, int64_t{1} << 32, "does not fit 64 bits");
  EXPECT_EQ(shape_bytes({3, 5, 7}, "x"), 105);
  EXPECT_EQ(shape_bytes({3, 0, 7}, "x"), 0);
  EXPECT_THROW(shape_bytes({int64_t{1} << 62, 1, 512}, "x"), InputError);
}

}  // namespace
}  // namespace nibblecore
