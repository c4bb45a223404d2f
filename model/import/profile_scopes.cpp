// SPDX-License-Identifier: Apache-2.0
#include "model/import/profile_scopes.hpp"

#include <string>

#include "model/import/annotation.hpp"
#include "model/import/utf8_cut.hpp"
#include "model/trace/manifest.hpp"

namespace nibblecore {

bool ProfileScopes::may_be_annotation(std::string_view name) {
  return phase_of_annotation(name) || step_of_annotation(name);
}

uint32_t ProfileScopes::add(std::string_view name, NameClass name_class, Scope scope) {
  if (name_class == NameClass::kBackward) {
    scope.kind = ScopeKind::kBackward;
  } else if (name_class != NameClass::kOther) {
    scope.kind = ScopeKind::kWrapper;
  }
  // Annotations by their meaning, other names as far as they can matter: a GEMM's names are made of
  // those around it, and files may have any.
  constexpr size_t kLongestScopeName = 256;
  const bool is_annotation = scope.kind == ScopeKind::kAnnotation;
  scope.name = is_annotation ? kept(phase_of_annotation(name).value_or(std::string(name)))
                             : kept(last_bytes(name, kLongestScopeName));
  scope.module = kept(last_bytes(scope.module, kLongestName));
  scope.id = static_cast<int64_t>(entries_.size());
  entries_.push_back({scope, name_class, false});
  return static_cast<uint32_t>(entries_.size() - 1);
}

Scopes ProfileScopes::around(const std::vector<uint32_t>& numbers) {
  Scopes scopes;
  scopes.reserve(numbers.size());
  for (const uint32_t number : numbers) {
    Entry& entry = entries_[number];
    entry.has_gemm = true;
    if (entry.name_class != NameClass::kUnknown && entry.name_class != NameClass::kGrouped) {
      scopes.push_back(&entry.scope);
    }
  }
  return scopes;
}

void ProfileScopes::count_callers(ImportCounts& counts) const {
  for (const Entry& entry : entries_) {
    const bool calls = entry.name_class == NameClass::kWrapper ||
                       entry.name_class == NameClass::kGrouped ||
                       entry.name_class == NameClass::kUnknown;
    if (calls && entry.has_gemm) {
      counts.skip(SkipReason::kWrapper);
    } else if (entry.name_class == NameClass::kWrapper) {
      counts.skip(SkipReason::kEmptyWrapper);
    } else if (entry.name_class == NameClass::kGrouped) {
      counts.skip(SkipReason::kGrouped);
    } else if (entry.name_class == NameClass::kUnknown) {
      counts.skip_unknown(entry.scope.name);
    }
  }
}

}  // namespace nibblecore
