// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "model/common/name_pattern.hpp"

namespace nibblecore::tb {

/// An ECMAScript regular expression to be found anywhere in a tensor's name; an empty one takes
/// every name. InputError for a bad or overlong expression, or one that takes too much effort to
/// match.
class NameFilter {
 public:
  explicit NameFilter(const std::string& expression);

  bool matches(const std::string& name) const;

 private:
  std::optional<NamePattern> pattern_;
};

}  // namespace nibblecore::tb
