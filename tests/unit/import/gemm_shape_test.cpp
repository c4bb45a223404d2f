// SPDX-License-Identifier: Apache-2.0
#include "model/import/gemm_shape.hpp"

#include <string>
#include <tuple>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace nibblecore {
namespace {

using Sizes = std::tuple<int64_t, int64_t, int64_t, int64_t>;

std::variant<GemmShape, SkipReason> shape(const char* name, const char* dimensions) {
  const boost::json::value value = boost::json::parse(dimensions);
  return gemm_shape(*find_gemm_operator(name), &value);
}

Sizes sizes(const char* name, const char* dimensions) {
  const auto result = shape(name, dimensions);
  const auto* const found = std::get_if<GemmShape>(&result);
  return found != nullptr ? Sizes(found->m, found->n, found->k, found->batch) : Sizes();
}

SkipReason reason(const char* name, const char* dimensions) {
  const auto result = shape(name, dimensions);
  const auto* const found = std::get_if<SkipReason>(&result);
  EXPECT_NE(found, nullptr) << dimensions;
  return found != nullptr ? *found : SkipReason::kWrapper;
}

TEST(GemmShape, OperandsStandWhereTheOperatorHasThem) {
  EXPECT_EQ(sizes("aten::mm", "[[64,128],[128,256]]"), Sizes(64, 256, 128, 1));
  EXPECT_EQ(sizes("aten::addmm", "[[5],[3,4],[4,5],[],[]]"), Sizes(3, 5, 4, 1));
  EXPECT_EQ(sizes("aten::addmm", "[[3,5],[3,4],[4,5],[],[]]"), Sizes(3, 5, 4, 1));
  EXPECT_EQ(sizes("aten::bmm", "[[2,3,4],[2,4,5]]"), Sizes(3, 5, 4, 2));
  EXPECT_EQ(sizes("aten::baddbmm", "[[2,3,5],[2,3,4],[2,4,5],[],[]]"), Sizes(3, 5, 4, 2));
  EXPECT_EQ(sizes("aten::_scaled_mm", "[[16,32],[32,8],[],[],[],[]]"), Sizes(16, 8, 32, 1));
  EXPECT_EQ(sizes("aten::mm", "[[1,7],[7,1]]"), Sizes(1, 1, 7, 1));
}

TEST(GemmShape, MissingShapes) {
  EXPECT_EQ(std::get<SkipReason>(gemm_shape(*find_gemm_operator("aten::mm"), nullptr)),
            SkipReason::kNoShapes);
  EXPECT_EQ(reason("aten::mm", "[]"), SkipReason::kNoShapes);
  EXPECT_EQ(reason("aten::mm", "[[],[]]"), SkipReason::kNoShapes);
}

TEST(GemmShape, ShapesThatAreNoProduct) {
  for (const char* const dimensions :
       {"[[2,3],[4,5]]", "[[2,3]]", "[[2,3],[]]", "[[2,3],[3]]", "[[1,2,3],[3,4]]", "7",
        "[[2,3],[3,\"4\"]]", "[[2,3],3]", "[[-2,-3],[-3,4]]", "[[[2],3],[3,4]]",
        "[[9223372036854775807,2],[2,3]]", "[[2,18446744073709551615],[18446744073709551615,2]]"}) {
    EXPECT_EQ(reason("aten::mm", dimensions), SkipReason::kBadShapes) << dimensions;
  }
  EXPECT_EQ(reason("aten::bmm", "[[2,3,4],[5,4,6]]"), SkipReason::kBadShapes);
}

TEST(GemmShape, EmptyProducts) {
  EXPECT_EQ(reason("aten::mm", "[[0,3],[3,4]]"), SkipReason::kEmptyProduct);
  EXPECT_EQ(reason("aten::mm", "[[2,0],[0,4]]"), SkipReason::kEmptyProduct);
  EXPECT_EQ(reason("aten::bmm", "[[0,2,3],[0,3,4]]"), SkipReason::kEmptyProduct);
}

TEST(GemmShape, StridesTellStorage) {
  const auto storage = [](const char* name, const GemmShape& of, const char* strides) {
    const boost::json::value value = boost::json::parse(strides);
    return gemm_storage(*find_gemm_operator(name), of, &value);
  };
  using Both = std::array<Storage, 2>;
  const GemmShape shape{4, 6, 5, 1};
  EXPECT_EQ(storage("aten::mm", shape, "[[5,1],[1,5]]"),
            (Both{Storage::kRows, Storage::kTransposed}));
  EXPECT_EQ(storage("aten::mm", shape, "[[1,4],[8,1]]"),
            (Both{Storage::kTransposed, Storage::kRows}));
  EXPECT_EQ(storage("aten::mm", shape, "[[0,1],[7,2]]"),
            (Both{Storage::kUnknown, Storage::kUnknown}));
  EXPECT_EQ(storage("aten::mm", GemmShape{1, 1, 5, 1}, "[[5,1],[1,1]]"),
            (Both{Storage::kUnknown, Storage::kUnknown}));
  EXPECT_EQ(storage("aten::baddbmm", GemmShape{4, 6, 5, 2}, "[[],[20,5,1],[30,1,5]]"),
            (Both{Storage::kRows, Storage::kTransposed}));
  EXPECT_EQ(gemm_storage(*find_gemm_operator("aten::mm"), shape, nullptr),
            (Both{Storage::kUnknown, Storage::kUnknown}));
}

}  // namespace
}  // namespace nibblecore
