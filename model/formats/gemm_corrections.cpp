// SPDX-License-Identifier: Apache-2.0
#include "model/formats/gemm_corrections.hpp"

#include <cmath>
#include <string>

#include "model/common/error.hpp"

namespace nibblecore {

void require_corrections_of(const GemmCorrections& corrections, const PackedMatrix& a,
                            const PackedMatrix& b, Accumulation policy) {
  if (corrections.residual != nullptr) {
    require_residual_of(*corrections.residual, a);
  }
  if (corrections.residual_alpha) {
    const std::string place = "residual alpha of a GEMM";
    if (corrections.residual == nullptr) {
      throw InputError(place, "there is no residual");
    }
    if (!std::isfinite(*corrections.residual_alpha)) {
      throw InputError(place, std::to_string(*corrections.residual_alpha) + " is not finite");
    }
  }
  if (corrections.a_macro != nullptr) {
    require_macro_scales_of(*corrections.a_macro, a, "macro scales of A");
  }
  if (corrections.b_macro != nullptr) {
    require_macro_scales_of(*corrections.b_macro, b, "macro scales of B");
  }
  const std::string place = "macro scales of a GEMM";
  if (corrections.a_macro != nullptr && corrections.b_macro != nullptr &&
      corrections.a_macro->length != corrections.b_macro->length) {
    throw InputError(place, "length: " + std::to_string(corrections.a_macro->length) +
                                " of A differs from " +
                                std::to_string(corrections.b_macro->length) + " of B");
  }
  const int64_t length = corrections.macro_length();
  const int node = node_width(policy, a.format);
  if (node != 0 && length < a.k && length % node != 0) {
    throw InputError(place, "length: " + std::to_string(length) + " is neither a multiple of " +
                                std::to_string(node) + " nor the whole K under " +
                                std::string(name_of(policy)));
  }
  if (is_truncating(policy) && corrections.residual != nullptr) {
    throw InputError("residual of a GEMM",
                     "has no place in the order of policy '" + std::string(name_of(policy)) + "'");
  }
}

}  // namespace nibblecore
