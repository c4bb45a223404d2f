// SPDX-License-Identifier: Apache-2.0
#include "model/formats/residual.hpp"

#include <algorithm>

#include "model/formats/named_record.hpp"

namespace nibblecore {
namespace {

/// The name of the record whose field `field` holds `value`.
template <typename Records, typename Field, typename Value>
std::string_view name_in(const Records& records, Field field, Value value) {
  const auto found = std::find_if(records.begin(), records.end(),
                                  [&](const auto& record) { return record.*field == value; });
  return found == records.end() ? std::string_view{} : found->name;
}

}  // namespace

ResidualPattern residual_pattern(std::string_view name) {
  return find_record(kResidualPatterns, name, "--residual").pattern;
}

ResidualBuild residual_build(std::string_view name) {
  return find_record(kResidualBuilds, name, "--residual-build").build;
}

ResidualOrder residual_order(std::string_view name) {
  return find_record(kResidualOrders, name, "--residual-order").order;
}

ResidualScope residual_scope(std::string_view name) {
  return find_record(kResidualScopes, name, "--residual-scope").scope;
}

std::string_view name_of(ResidualPattern pattern) {
  return name_in(kResidualPatterns, &ResidualPatternRecord::pattern, pattern);
}

std::string_view name_of(ResidualBuild build) {
  return name_in(kResidualBuilds, &ResidualBuildRecord::build, build);
}

std::string_view name_of(ResidualOrder order) {
  return name_in(kResidualOrders, &ResidualOrderRecord::order, order);
}

std::string_view name_of(ResidualScope scope) {
  return name_in(kResidualScopes, &ResidualScopeRecord::scope, scope);
}

int64_t residual_granule(ResidualBuild build, ResidualOrder order, int64_t k) {
  if (order == ResidualOrder::kAppended) {
    return k;
  }
  return build == ResidualBuild::kParallel ? 64 : 128;
}

}  // namespace nibblecore
