// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/common/name_pattern.hpp"
#include "model/trace/gemm_record.hpp"

namespace nibblecore {

/// Which records of a trace to take: `phase=rollout,gemm=fprop,layer=REGEX`, each key at most once;
/// empty text takes all. `phase` matches by prefix, `gemm` exactly, `layer` by an ECMAScript
/// regular expression found anywhere in the name. A comma followed by a word and `=` starts the
/// next key; any other comma belongs to the regex, so put `layer` last where it has one.
class Filter {
 public:
  /// InputError for an unknown, repeated or empty key, an unknown GEMM, or a bad regex.
  explicit Filter(std::string_view text);

  /// Whether a record passes every key. InputError where the regex takes too much effort.
  bool matches(const GemmRecord& record) const;

 private:
  void set(const std::string& key, const std::string& value);

  std::optional<std::string> phase_;
  std::optional<GemmKind> kind_;
  std::optional<NamePattern> layer_;
};

}  // namespace nibblecore
