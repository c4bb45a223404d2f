// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "hw/channel/payload.hpp"
#include "hw/datapath/block_quantizer.hpp"
#include "model/formats/accumulation.hpp"
#include "model/machine/program.hpp"

namespace nibblecore::hw {

/// One GEMM for the core: the program to run, where its images lie in memory, and what the
/// quantizer does with operands that are online. The program outlives the run.
struct GemmJob {
  const Program* program = nullptr;
  std::optional<QuantizerJob> a_quantizer;  ///< where A is online
  std::optional<QuantizerJob> b_quantizer;
  uint32_t a_tensor_scale = 0x3F800000;  ///< FP32 bits; their product is the store path's factor
  uint32_t b_tensor_scale = 0x3F800000;
  uint32_t residual_alpha = 0x3F800000;  ///< FP32 bits, finite: of the residual's own accumulator

  uint64_t a_address = 0;
  uint64_t b_address = 0;
  uint64_t start_address = 0;
  uint64_t store_address = 0;

  const GemmSpec& spec() const { return program->spec(); }
  const BlockFormat& format() const { return program->spec().format; }
  /// What the array sums for this job's accumulators.
  SumLength sum_length() const {
    return is_truncating(spec().accumulation) ? SumLength::kSixteen : SumLength::kBlock;
  }
  /// FP32 bits of every NaN that the job's circuits give.
  uint32_t nan() const { return nan_of(spec().accumulation); }
};

}  // namespace nibblecore::hw
