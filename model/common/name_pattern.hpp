// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace nibblecore {

/// Longest regular expression that a NamePattern takes, in bytes.
inline constexpr int kLongestPattern = 1024;

/// An ECMAScript regular expression to be found anywhere in a name. Either may come from others:
/// compiling and searching take a bounded amount of stack, memory and time. Copies share it.
class NamePattern {
 public:
  /// InputError at `place` where the expression is none, or is longer than kLongestPattern.
  NamePattern(const std::string& expression, std::string place);

  /// InputError at the same place where the search takes too much effort, or might: where
  /// expression and name are both long (512 bytes and 128, 181 and 1,024).
  bool is_in(const std::string& name) const;

 private:
  struct Compiled;

  std::shared_ptr<const Compiled> compiled_;
  std::string place_;
};

}  // namespace nibblecore
