// SPDX-License-Identifier: Apache-2.0
#include "tb/decompose/name_filter.hpp"

#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"
#include "model/trace/manifest.hpp"

namespace nibblecore::tb {
namespace {

constexpr const char* kPlace = "--filter";

std::regex compiled(const std::string& expression) {
  // Longer ones can exhaust the stack of the library that compiles them.
  if (expression.size() > kLongestName) {
    throw InputError(kPlace, "is longer than " + std::to_string(kLongestName) + " bytes");
  }
  try {
    return std::regex(expression, std::regex::ECMAScript);
  } catch (const std::regex_error& error) {
    throw InputError(kPlace,
                     in_quotes(expression) + " is not a regular expression: " + error.what());
  }
}

}  // namespace

NameFilter::NameFilter(const std::string& expression) : expression_(compiled(expression)) {}

bool NameFilter::matches(const std::string& name) const {
  try {
    return std::regex_search(name, expression_);
  } catch (const std::regex_error& error) {
    throw InputError(kPlace, std::string("cannot be matched: ") + error.what());
  }
}

}  // namespace nibblecore::tb
