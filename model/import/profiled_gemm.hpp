// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "model/import/gemm_shape.hpp"
#include "model/import/operator_names.hpp"
#include "model/trace/gemm_record.hpp"

namespace nibblecore {

/// What called a GEMM.
enum class Pass {
  kForward,
  kRecompute,  ///< the forward pass, run again inside the backward one (activation checkpointing)
  kBackward,
};

/// Identity of a tensor's memory in an execution trace: storage, offset, elements. A transposed
/// view has that of its base. Storages that are freed may be used again.
using TensorIdentity = std::tuple<int64_t, int64_t, int64_t>;

/// One GEMM operator of a profile: what the file says about it, then what follows from the others.
struct ProfiledGemm {
  const GemmOperator* gemm = nullptr;
  GemmShape shape;
  std::array<Storage, 2> storage{Storage::kUnknown, Storage::kUnknown};
  std::optional<std::array<TensorIdentity, 2>> operands;
  int64_t order = 0;    ///< program order within the file
  int64_t process = 0;  ///< sequence numbers count within a process
  int64_t thread = 0;   ///< as `forward_thread` numbers them; 0: unknown
  int64_t sequence =
      -1;  ///< autograd's number, in the backward pass that of the function; -1: none
  int64_t forward_thread = 0;  ///< of a backward function: where its forward ran; 0: unknown

  // Told by what encloses it.
  Pass pass = Pass::kForward;
  std::string_view function;  ///< the backward function that called it; lives as long as its scope
  int64_t function_call = 0;  ///< which call of it
  std::string_view base;      ///< "linear", "matmul" or the operator's own short name
  std::string
      module;         ///< path of the module, where recorded; its end, as long as a manifest allows
  std::string phase;  ///< of an annotation; empty where there is none
  std::optional<int64_t> step;

  // Told by the other GEMMs of the file.
  GemmKind kind = GemmKind::kFprop;
  std::optional<size_t> forward;  ///< of a backward GEMM: index of its forward GEMM
  bool has_backward = false;
  bool weights_by_inputs = false;  ///< weights stored [in, out], as GPT-2's Conv1D does
  std::string layer;
};

}  // namespace nibblecore
