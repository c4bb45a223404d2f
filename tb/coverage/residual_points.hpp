// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/machine/program.hpp"
#include "tb/coverage/coverage.hpp"

namespace nibblecore::tb {

/// Which residuals one format's core selects, schedules and multiplies.
class ResidualPoints {
 public:
  ResidualPoints(const BlockFormat& format, Coverage& coverage);

  /// A quad of residual codes and the metadata of the two that were kept (first position in bits
  /// 1:0, second in bits 3:2).
  void sample_quad(const std::array<uint8_t, 4>& codes, uint8_t indices);

  /// One step, at one of the units that it passes, on a core whose depth holds `depth_blocks`
  /// blocks.
  void sample_step(StepKind kind, int dense_blocks, int residual_blocks, int depth_blocks);

  /// A GEMM's residual, and the mask that came with it: channels [k], tiles [rows, columns], or
  /// nothing.
  void sample_program(const Program& program, const std::vector<uint8_t>& mask);

 private:
  void sample_mask(const GemmSpec& spec, const std::vector<uint8_t>& mask);

  CoverPoint& positions_;
  CoverPoint& non_zeros_;
  CoverPoint& ties_;
  CoverPoint& steps_;
  CoverPoint& schedules_;
  CoverPoint& granules_;
  CoverPoint& passes_;
  CoverPoint& masks_;
};

}  // namespace nibblecore::tb
