// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "tb/command/command_line.hpp"
#include "tb/replay/correction_options.hpp"

namespace nibblecore::tb {

/// The options that correct what the preset does to operands.
struct CorrectionArguments {
  std::string macro = "none";
  int64_t macro_length = 128;
  int64_t macro_bits = 8;
  int64_t macro_candidates = 16;
  std::string epilogue = "fused";
  std::string hadamard = "none";
  std::string weight_blocks = "row";
  std::string fallback;        ///< alpha
  std::string fallback_rate;   ///< share of tiles
  std::string fallback_theta;  ///< threshold of tiles
  int64_t fallback_rows = 128;
  int64_t fallback_channels = 128;
  double noise = 0;

  void add_to(Arguments& arguments);
  /// Whether any correction is on.
  bool is_given() const;
  /// What they say; InputError where they contradict each other or name nothing known.
  CorrectionOptions resolve() const;
};

/// The residual of --residual or, under a fallback, the dense one that it adds; InputError where
/// both are asked for.
ResidualPattern residual_with(const CorrectionOptions& corrections, const std::string& residual);

}  // namespace nibblecore::tb
