// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/formats/matrix_view.hpp"
#include "model/formats/packed_matrix.hpp"
#include "model/formats/preset.hpp"
#include "tb/bench/core_gemm.hpp"
#include "tb/stimulus/constraints.hpp"
#include "tb/stimulus/dice.hpp"
#include "tb/stimulus/schedule.hpp"
#include "tb/stimulus/theme.hpp"

namespace nibblecore::tb {

/// One random GEMM for the core with everything that belongs to it: machine, program, operands,
/// start values, back-pressure. It follows from seed and constraints alone.
class Stimulus {
 public:
  Stimulus(uint32_t seed, const StimulusConstraints& constraints);
  Stimulus(const Stimulus&) = delete;
  Stimulus& operator=(const Stimulus&) = delete;

  uint32_t seed() const { return seed_; }
  const Schedule& schedule() const { return schedule_; }
  const Program& program() const { return program_; }
  /// Probability that a channel refuses an entry in a cycle; 0: never.
  double refusal() const { return refusal_; }

  /// The GEMM, its result in result().
  const CoreGemm& gemm() const { return gemm_; }
  const std::vector<uint32_t>& result() const { return result_; }
  /// What the golden reference makes of it, [m, n] bits.
  std::vector<uint32_t> golden() const;

  /// The operands as the golden quantizers pack them, and A's residual before the selection; empty
  /// where there is none.
  const PackedMatrix& packed_a() const { return a_.packed; }
  const PackedMatrix& packed_b() const { return b_.packed; }
  const PackedMatrix& dense_residual() const { return dense_residual_; }

  /// Seed and shape, for a message.
  std::string text() const;

 private:
  struct Operand {
    std::vector<uint8_t> values;  ///< of an online operand, in its input width
    MatrixView view;
    PackedMatrix packed;
  };

  void make_operand(OperandPath path, int64_t rows, Operand& operand, CoreOperand& core);
  void make_residual();
  void make_start_values();

  uint32_t seed_;
  StimulusConstraints constraints_;
  Dice dice_;
  Schedule schedule_;
  Program program_;
  Preset preset_;
  Theme theme_;
  double refusal_ = 0;
  Operand a_;
  Operand b_;
  PackedMatrix dense_residual_;
  PackedMatrix residual_;
  std::vector<uint32_t> start_;
  std::vector<uint32_t> result_;
  CoreGemm gemm_;
};

}  // namespace nibblecore::tb
