// SPDX-License-Identifier: Apache-2.0
#include "model/trace/dtype.hpp"

#include <algorithm>
#include <cstddef>

namespace nibblecore {
namespace {

constexpr bool in_order_of_enumeration() {
  for (size_t i = 0; i < kDTypes.size(); ++i) {
    if (static_cast<size_t>(kDTypes[i].dtype) != i) {
      return false;
    }
  }
  return true;
}
static_assert(in_order_of_enumeration(), "the table is indexed by the enumeration");

}  // namespace

std::string_view name_of(DType dtype) { return kDTypes[static_cast<size_t>(dtype)].name; }

int bits_of(DType dtype) { return kDTypes[static_cast<size_t>(dtype)].bits; }

std::optional<DType> find_dtype(std::string_view name) {
  const auto* const found =
      std::find_if(kDTypes.begin(), kDTypes.end(),
                   [name](const DTypeRecord& record) { return record.name == name; });
  if (found == kDTypes.end()) {
    return std::nullopt;
  }
  return found->dtype;
}

}  // namespace nibblecore
