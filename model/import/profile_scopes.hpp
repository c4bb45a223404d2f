// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "model/import/call_context.hpp"
#include "model/import/import_counts.hpp"
#include "model/import/operator_names.hpp"

namespace nibblecore {

/// The spans of a profile that may enclose GEMMs, each under a number, and which of them do.
class ProfileScopes {
 public:
  /// Whether an annotation of this name says anything about phase or step.
  static bool may_be_annotation(std::string_view name);

  /// Adds a span; kind, id and a lasting copy of its name are filled in by its class: kOther stands
  /// for what `scope.kind` says already, an annotation (which may_be_annotation has found to be
  /// one) or a module.
  uint32_t add(std::string_view name, NameClass name_class, Scope scope);

  const Scope& operator[](uint32_t number) const { return entries_[number].scope; }

  /// The spans of these numbers around a GEMM as read_scopes takes them; each has one now.
  Scopes around(const std::vector<uint32_t>& numbers);

  /// Counts wrappers, grouped and unknown operators: those around a GEMM are wrappers all.
  void count_callers(ImportCounts& counts) const;

 private:
  struct Entry {
    Scope scope;
    NameClass name_class = NameClass::kOther;
    bool has_gemm = false;
  };

  std::string_view kept(std::string_view text) { return *names_.emplace(text).first; }

  std::unordered_set<std::string> names_;
  std::vector<Entry> entries_;
};

}  // namespace nibblecore
