// SPDX-License-Identifier: Apache-2.0
#include "tb/decompose/name_filter.hpp"

namespace nibblecore::tb {

NameFilter::NameFilter(const std::string& expression) {
  if (!expression.empty()) {
    pattern_.emplace(expression, "--filter");
  }
}

bool NameFilter::matches(const std::string& name) const {
  return !pattern_ || pattern_->is_in(name);
}

}  // namespace nibblecore::tb
