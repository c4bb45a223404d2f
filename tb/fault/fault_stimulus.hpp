// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/datapath/site.hpp"
#include "model/formats/preset.hpp"
#include "model/machine/cycle_report.hpp"
#include "model/machine/program.hpp"
#include "tb/bench/core_gemm.hpp"

namespace nibblecore::tb {

/// The core that faults are put into: 2 x 2 x 64, so that every bit of it can be tried, with
/// buffers that hold everything and a memory that does not hold it up.
Machine fault_machine();

/// What the buses of a core are counted by when it runs this program (site.hpp).
hw::SiteExtents site_extents(const Program& program);

/// An operand as memory holds it: packed, or FP32 bits [rows, k] for the quantizer, of which a BF16
/// operand's upper halves count.
struct FaultOperand {
  OperandPath path = OperandPath::kPacked;
  PackedMatrix packed;
  std::vector<uint32_t> values;
  std::vector<float> factors{};  ///< of macro blocks of a packed operand, [rows, macro blocks]
};

/// One GEMM that faults are looked for with, and what a sound core makes of it by the golden
/// reference and the cycle model.
class FaultStimulus {
 public:
  /// `spec` without the operands' paths and which have factors: those follow from `a` and `b`;
  /// `start` [m, n] FP32 bits, or empty; `residual_alpha` where the residual has accumulators of
  /// its own.
  FaultStimulus(std::string name, GemmSpec spec, const Preset& preset, FaultOperand a,
                FaultOperand b, std::vector<uint32_t> start = {}, float residual_alpha = 1.0F);
  FaultStimulus(const FaultStimulus&) = delete;
  FaultStimulus& operator=(const FaultStimulus&) = delete;

  const std::string& name() const { return name_; }
  const Program& program() const { return program_; }
  const CycleReport& cycles() const { return cycles_; }
  const std::vector<uint32_t>& golden() const { return golden_; }

  /// The operands, for a run that writes `d` [m, n].
  CoreGemm gemm(std::vector<uint32_t>& d) const;

 private:
  struct Operand {
    FaultOperand given;
    std::vector<uint8_t> bytes;  ///< of an online operand, in its input width
    MatrixView view;
    PackedMatrix packed;  ///< quantized by the golden model
    MacroScales macro;
  };

  void prepare(Operand& operand, int64_t rows) const;
  CoreOperand core_operand(const Operand& operand, ResidualPattern residual) const;
  void compute_golden();

  std::string name_;
  Preset preset_;
  Operand a_;
  Operand b_;
  std::vector<uint32_t> start_;
  float residual_alpha_;
  Program program_;
  CycleReport cycles_;
  std::vector<uint8_t> mask_;
  std::vector<uint32_t> golden_;
};

}  // namespace nibblecore::tb
