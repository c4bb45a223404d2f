// SPDX-License-Identifier: Apache-2.0
#include "model/common/name_pattern.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

// Not <regex>: libstdc++ recurses per character, and searches for ever where it goes back a lot.
#include <boost/regex.hpp>

#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"

namespace nibblecore {
namespace {

// Boost gives up after length^2 * name length steps; these take a second.
constexpr size_t kMostSteps = size_t{1} << 25;

}  // namespace

struct NamePattern::Compiled {
  boost::regex expression;
};

NamePattern::NamePattern(const std::string& expression, std::string place)
    : place_(std::move(place)) {
  if (expression.size() > kLongestPattern) {
    throw InputError(place_, "is longer than " + std::to_string(kLongestPattern) + " bytes");
  }
  try {
    compiled_ = std::make_shared<const Compiled>(Compiled{boost::regex(expression)});
  } catch (const boost::regex_error& error) {
    throw InputError(place_,
                     in_quotes(expression) + " is not a regular expression: " + error.what());
  }
}

bool NamePattern::is_in(const std::string& name) const {
  const size_t length = compiled_->expression.size();
  if (length * length > kMostSteps / std::max<size_t>(name.size(), 1)) {
    throw InputError(place_, "is too long to be searched for in " + in_quotes(name));
  }
  try {
    return boost::regex_search(name, compiled_->expression,
                               boost::match_single_line | boost::match_not_dot_newline);
  } catch (const std::runtime_error& error) {
    throw InputError(place_, std::string("cannot be matched: ") + error.what());
  }
}

}  // namespace nibblecore
