// SPDX-License-Identifier: Apache-2.0
#include "model/import/kineto_reader.hpp"

#include <utility>
#include <variant>

namespace nibblecore {
namespace {

bool calls_gemms(NameClass name_class) {
  return name_class == NameClass::kWrapper || name_class == NameClass::kGrouped ||
         name_class == NameClass::kUnknown;
}

constexpr int kInnermost = 5;

// Of spans with the same times, which encloses which.
int nesting_rank(const Scope& scope) {
  switch (scope.kind) {
    case ScopeKind::kAnnotation:
      return 0;
    case ScopeKind::kModule:
      return 1;
    case ScopeKind::kBackward:
      return 2;
    case ScopeKind::kWrapper:
      break;
  }
  return scope.name == "aten::linear" ? 3 : 4;
}

std::vector<uint32_t> numbers_of(const std::vector<const Span*>& around) {
  std::vector<uint32_t> numbers;
  numbers.reserve(around.size());
  for (const Span* const outer : around) {
    numbers.push_back(static_cast<uint32_t>(outer->index));
  }
  return numbers;
}

}  // namespace

void KinetoReader::read(const boost::json::value& element, int64_t index) {
  KinetoEvent event = read_kineto_event(element, name_ + ", event " + std::to_string(index));
  NameClass name_class = NameClass::kOther;
  switch (event.category) {
    case EventCategory::kOperator:
      name_class = classify_name(event.name);
      if (name_class == NameClass::kOther) {
        return;
      }
      break;
    case EventCategory::kAnnotation:
      if (!ProfileScopes::may_be_annotation(event.name)) {
        return;
      }
      break;
    case EventCategory::kModule:
      break;
    case EventCategory::kKernel:
      gemm_kernels_ += classify_name(event.name) == NameClass::kUnknown ? 1 : 0;
      return;
    case EventCategory::kOther:
      return;
  }
  read_kineto_details(element, event);
  const bool counts = name_class == NameClass::kGemm || calls_gemms(name_class);
  if (!event.complete || !event.duration) {
    if (counts) {
      profile_.counts.skip(event.complete ? SkipReason::kNoTime : SkipReason::kNotComplete);
    }
  } else if (name_class == NameClass::kGemm) {
    add_gemm(event);
  } else {
    add_scope(event, name_class);
  }
}

KinetoReader::Timed KinetoReader::timed(const KinetoEvent& event) {
  const auto number = [](std::map<std::string, int64_t>& numbers, const std::string& key) {
    return numbers.try_emplace(key, static_cast<int64_t>(numbers.size())).first->second;
  };
  Timed result;
  result.process = number(processes_, event.process);
  result.span.track = number(threads_, event.process + " " + event.thread);
  result.span.start = *event.start;
  result.span.end = *event.start + *event.duration;
  return result;
}

void KinetoReader::add_gemm(const KinetoEvent& event) {
  Timed leaf = timed(event);
  leaf.span.index = leaves_.size();
  leaf.span.rank = kInnermost;
  const GemmOperator& gemm_operator = *find_gemm_operator(event.name);
  const auto shape = gemm_shape(gemm_operator, event.dimensions);
  std::optional<size_t> taken;
  if (const SkipReason* const reason = std::get_if<SkipReason>(&shape)) {
    profile_.counts.skip(*reason);
  } else {
    ProfiledGemm gemm;
    gemm.gemm = &gemm_operator;
    gemm.shape = std::get<GemmShape>(shape);
    gemm.storage = gemm_storage(gemm_operator, gemm.shape, event.strides);
    gemm.order = *event.start;
    gemm.process = leaf.process;
    gemm.sequence = event.sequence;
    gemm.module = event.module;
    taken = profile_.gemms.size();
    profile_.gemms.push_back(std::move(gemm));
  }
  leaves_.push_back(leaf);
  gemm_of_.push_back(taken);
}

void KinetoReader::add_scope(const KinetoEvent& event, NameClass name_class) {
  Scope scope;
  scope.kind =
      event.category == EventCategory::kModule ? ScopeKind::kModule : ScopeKind::kAnnotation;
  scope.module = event.module;
  scope.sequence = event.sequence;
  scope.forward_thread = event.forward_thread;
  Timed enclosing = timed(event);
  enclosing.span.encloses = true;
  enclosing.span.index = scopes_.add(event.name, name_class, scope);
  enclosing.span.rank = nesting_rank(scopes_[static_cast<uint32_t>(enclosing.span.index)]);
  enclosing_.push_back(enclosing);
}

void KinetoReader::sweep_threads() {
  std::vector<Span> spans;
  spans.reserve(enclosing_.size() + leaves_.size());
  for (const Timed& enclosing : enclosing_) {
    spans.push_back(enclosing.span);
  }
  for (const Timed& leaf : leaves_) {
    spans.push_back(leaf.span);
  }
  sweep_spans(spans, name_, [&](const Span& leaf, const std::vector<const Span*>& around) {
    const Scopes scopes = scopes_.around(numbers_of(around));
    if (gemm_of_[leaf.index]) {
      read_scopes(scopes, profile_.gemms[*gemm_of_[leaf.index]]);
    }
  });
}

// Autograd runs the backward pass on threads of its own, while its caller waits inside annotations.
void KinetoReader::sweep_processes() {
  std::vector<Span> spans;
  const auto add = [&](const Timed& timed) {
    spans.push_back(timed.span);
    spans.back().track = timed.process;
  };
  for (const Timed& enclosing : enclosing_) {
    if (scopes_[static_cast<uint32_t>(enclosing.span.index)].kind == ScopeKind::kAnnotation) {
      add(enclosing);
    }
  }
  for (const Timed& leaf : leaves_) {
    const std::optional<size_t> gemm = gemm_of_[leaf.span.index];
    if (gemm && profile_.gemms[*gemm].pass != Pass::kForward) {
      add(leaf);
    }
  }
  sweep_spans(spans, name_, [&](const Span& leaf, const std::vector<const Span*>& around) {
    read_annotations(scopes_.around(numbers_of(around)), profile_.gemms[*gemm_of_[leaf.index]]);
  });
}

ReadProfile KinetoReader::finish(std::optional<int64_t> rank) {
  sweep_threads();
  sweep_processes();
  scopes_.count_callers(profile_.counts);
  profile_.rank = rank;
  return std::move(profile_);
}

std::string KinetoReader::hint() const {
  if (gemm_kernels_ == 0) {
    return {};
  }
  return "; it has " + std::to_string(gemm_kernels_) +
         " kernels with names of GEMMs: launched by graph replay or recorded without CPU activity, "
         "they have no shapes";
}

}  // namespace nibblecore
