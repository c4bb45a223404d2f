// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "model/formats/preset.hpp"
#include "model/machine/gemm_spec.hpp"
#include "tb/bench/core_gemm.hpp"

namespace nibblecore::test {

/// Random operands for a GEMM of any spec, as the core takes them, and what the golden reference
/// makes of them. The objects that the core's operands point to live here.
class RandomGemm {
 public:
  RandomGemm(const GemmSpec& spec, const Preset& preset, std::mt19937& random);

  const tb::CoreGemm& gemm() const { return gemm_; }
  /// What the core wrote, [m, n] bits.
  const std::vector<uint32_t>& result() const { return result_; }
  /// What it should have written.
  std::vector<uint32_t> golden() const;
  /// Fills the result with a pattern that no result has, so that an output never written shows.
  void forget_result();

 private:
  struct Operand {
    std::vector<uint8_t> values;  ///< of an online operand, in its input width
    MatrixView view;
    PackedMatrix packed;
    MacroScales macro;
  };

  void make(OperandPath path, int64_t rows, std::mt19937& random, Operand& operand,
            tb::CoreOperand& core);
  void make_residual(std::mt19937& random);
  void make_factors(bool has_factors, int64_t rows, std::mt19937& random, Operand& operand,
                    tb::CoreOperand& core);

  GemmSpec spec_;
  Preset preset_;
  Operand a_;
  Operand b_;
  PackedMatrix residual_;
  std::vector<uint32_t> start_;
  std::vector<uint32_t> result_;
  tb::CoreGemm gemm_;
};

}  // namespace nibblecore::test
