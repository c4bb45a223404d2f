// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/import/profiled_gemm.hpp"

namespace nibblecore {

enum class ScopeKind {
  kAnnotation,  ///< user annotation: a phase or a step
  kModule,      ///< call of a module's forward
  kWrapper,     ///< aten::linear, aten::matmul
  kBackward,    ///< an autograd function's backward
};

/// A span of a profile that may enclose a GEMM.
struct Scope {
  ScopeKind kind = ScopeKind::kAnnotation;
  std::string_view name;
  std::string_view module;  ///< "Module Hierarchy", where recorded
  int64_t sequence = -1;
  int64_t forward_thread = 0;
  int64_t id = 0;  ///< tells calls apart
};

/// Spans around a GEMM, the innermost first.
using Scopes = std::vector<const Scope*>;

/// Sets what is told by what encloses a GEMM: pass, backward function, base, module, phase, step.
///
/// Backward is what an autograd function calls itself: mm or bmm directly in MmBackward0,
/// AddmmBackward0 and the like, anything in a function of another name. A GEMM in
/// CheckpointFunctionBackward, and one that is not directly in MmBackward0 and the like
/// (checkpointing that is not reentrant runs the forward pass inside whichever function needs it
/// first), is recomputed forward.
void read_scopes(const Scopes& scopes, ProfiledGemm& gemm);

/// Sets phase and step from annotations where they are not set; of each the innermost counts.
void read_annotations(const Scopes& scopes, ProfiledGemm& gemm);

}  // namespace nibblecore
