// SPDX-License-Identifier: Apache-2.0
#include "model/import/call_context.hpp"

#include <array>
#include <string>

#include "model/import/annotation.hpp"
#include "model/import/utf8_cut.hpp"
#include "model/trace/manifest.hpp"

namespace nibblecore {
namespace {

constexpr std::array<std::string_view, 4> kGemmFunctions{"MmBackward", "AddmmBackward",
                                                         "BmmBackward", "BaddbmmBackward"};

// Functions of PyTorch's own GEMM operators, which call mm and bmm themselves.
bool is_gemm_function(std::string_view name) {
  const std::string_view stem = name.substr(0, name.find_last_not_of("0123456789") + 1);
  for (const std::string_view known : kGemmFunctions) {
    if (stem == known) {
      return true;
    }
  }
  return false;
}

Pass pass_in(const Scope& function, bool direct, const GemmOperator& gemm) {
  if (is_gemm_function(function.name)) {
    const bool as_derived = gemm.short_name == "mm" || gemm.short_name == "bmm";
    return direct && as_derived ? Pass::kBackward : Pass::kRecompute;
  }
  const bool checkpoint = function.name.find("Checkpoint") != std::string_view::npos;
  return checkpoint ? Pass::kRecompute : Pass::kBackward;
}

std::string_view without_namespace(std::string_view name) {
  const size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

// "nn.Module: Linear_3" of the profiler's module events.
std::string_view module_name(std::string_view name) {
  const size_t blank = name.rfind(' ');
  return blank == std::string_view::npos ? name : name.substr(blank + 1);
}

}  // namespace

void read_scopes(const Scopes& scopes, ProfiledGemm& gemm) {
  gemm.base = gemm.gemm->short_name;
  bool direct = true;
  bool found_function = false;
  std::string path;
  for (const Scope* const scope : scopes) {
    switch (scope->kind) {
      case ScopeKind::kWrapper:
        if (!found_function) {
          gemm.base = without_namespace(scope->name);
        }
        direct = false;
        if (gemm.module.empty()) {
          gemm.module = scope->module;
        }
        break;
      case ScopeKind::kBackward:
        if (!found_function) {
          found_function = true;
          gemm.pass = pass_in(*scope, direct, *gemm.gemm);
        }
        break;
      case ScopeKind::kModule:
        if (path.size() < kLongestName) {
          path.insert(0, path.empty() ? "" : ".").insert(0, module_name(scope->name));
        }
        break;
      case ScopeKind::kAnnotation:
        break;
    }
    if (scope->kind == ScopeKind::kBackward && gemm.pass == Pass::kBackward &&
        gemm.function.empty()) {
      gemm.function = scope->name;
      gemm.function_call = scope->id;
      gemm.sequence = scope->sequence;
      gemm.forward_thread = scope->forward_thread;
    }
  }
  if (gemm.module.empty()) {
    gemm.module = path;
  }
  // The end of a path tells layers apart.
  gemm.module = std::string(last_bytes(gemm.module, kLongestName));
  read_annotations(scopes, gemm);
}

void read_annotations(const Scopes& scopes, ProfiledGemm& gemm) {
  for (const Scope* const scope : scopes) {
    if (scope->kind != ScopeKind::kAnnotation) {
      continue;
    }
    if (gemm.phase.empty()) {
      gemm.phase = phase_of_annotation(scope->name).value_or("");
    }
    if (!gemm.step) {
      gemm.step = step_of_annotation(scope->name);
    }
  }
}

}  // namespace nibblecore
