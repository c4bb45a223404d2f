// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "tb/replay/correction_options.hpp"

namespace nibblecore::tb {

/// Corrections of a grid point under the name that a grid gives them.
struct NamedCorrection {
  std::string name = "none";
  CorrectionOptions options;
  bool is_stochastic = false;  ///< elements are rounded stochastically

  /// Whether the residual of A is the fallback's.
  bool has_fallback() const {
    return options.fallback_alpha.has_value() || options.fallback_tiles.has_value();
  }
};

/// The corrections that `name` stands for: `none`, or parts joined by '+', at most one of a kind
/// (docs/sweep.md). mbs-static, mbs-dynamic, mbs-hybrid, each with -32, -64, -128 or -256 behind it
/// (128 without); hadamard-16, -32, -64 (seeded signs); fallback-ALPHA; fallback-rate-SHARE; sr;
/// square. InputError at `--corrections` for whatever else.
NamedCorrection named_correction(std::string_view name);

}  // namespace nibblecore::tb
