// SPDX-License-Identifier: Apache-2.0
#include "model/import/gemm_shape.hpp"

#include <string_view>
#include <vector>

#include <boost/json/array.hpp>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;

// The list of integers of one argument; nothing where it is something else.
std::optional<std::vector<int64_t>> integers(const json::value* arguments, int index) {
  const json::array* const lists = arguments != nullptr ? arguments->if_array() : nullptr;
  const auto position = static_cast<size_t>(index);
  if (lists == nullptr || position >= lists->size() || !(*lists)[position].is_array()) {
    return std::nullopt;
  }
  std::vector<int64_t> numbers;
  for (const json::value& item : (*lists)[position].get_array()) {
    const std::optional<int64_t> number = json_integer(item);
    if (!number) {
      return std::nullopt;
    }
    numbers.push_back(*number);
  }
  return numbers;
}

bool fits(const GemmShape& shape) {
  try {
    int64_t macs = shape.m;
    for (const int64_t factor : {shape.n, shape.k, shape.batch}) {
      macs = checked_multiply(macs, factor, "shape");
    }
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// Of a matrix [rows, columns] with these strides, of which only the last two matter.
Storage storage(const std::optional<std::vector<int64_t>>& strides, int rank, int64_t rows,
                int64_t columns) {
  if (!strides || strides->size() != static_cast<size_t>(rank) || rows == 1 || columns == 1) {
    return Storage::kUnknown;
  }
  const int64_t row = (*strides)[strides->size() - 2];
  const int64_t column = strides->back();
  if (column == 1 && row >= columns) {
    return Storage::kRows;
  }
  return row == 1 && column >= rows ? Storage::kTransposed : Storage::kUnknown;
}

}  // namespace

std::variant<GemmShape, SkipReason> gemm_shape(const GemmOperator& gemm,
                                               const json::value* dimensions) {
  if (dimensions == nullptr) {
    return SkipReason::kNoShapes;
  }
  const std::optional<std::vector<int64_t>> a = integers(dimensions, gemm.first);
  const std::optional<std::vector<int64_t>> b = integers(dimensions, gemm.first + 1);
  if (!a || !b) {
    const json::array* const lists = dimensions->if_array();
    return lists != nullptr && lists->empty() ? SkipReason::kNoShapes : SkipReason::kBadShapes;
  }
  if (a->empty() && b->empty()) {
    return SkipReason::kNoShapes;
  }
  const auto rank = static_cast<size_t>(gemm.rank);
  if (a->size() != rank || b->size() != rank) {
    return SkipReason::kBadShapes;
  }
  GemmShape shape{(*a)[rank - 2], b->back(), a->back(), gemm.rank == 3 ? a->front() : 1};
  const bool agrees = (*b)[rank - 2] == shape.k && (gemm.rank == 2 || b->front() == shape.batch);
  const bool negative = shape.m < 0 || shape.n < 0 || shape.k < 0 || shape.batch < 0;
  if (!agrees || negative) {
    return SkipReason::kBadShapes;
  }
  if (shape.m == 0 || shape.n == 0 || shape.k == 0 || shape.batch == 0) {
    return SkipReason::kEmptyProduct;
  }
  if (!fits(shape)) {
    return SkipReason::kBadShapes;
  }
  return shape;
}

std::array<Storage, 2> gemm_storage(const GemmOperator& gemm, const GemmShape& shape,
                                    const json::value* strides) {
  return {storage(integers(strides, gemm.first), gemm.rank, shape.m, shape.k),
          storage(integers(strides, gemm.first + 1), gemm.rank, shape.k, shape.n)};
}

}  // namespace nibblecore
