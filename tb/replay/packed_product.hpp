// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "model/formats/gemm_corrections.hpp"
#include "model/formats/packed_matrix.hpp"
#include "model/formats/residual_operand.hpp"
#include "model/machine/gemm_spec.hpp"
#include "model/quantize/operand_statistics.hpp"
#include "model/scheme/gemm_treatment.hpp"
#include "model/trace/trace.hpp"
#include "tb/bench/core_gemm.hpp"
#include "tb/replay/replay_options.hpp"
#include "tb/replay/scaled_input.hpp"

namespace nibblecore::tb {

/// One product's operands after their treatment: packed by the golden quantizer, for reference and
/// emulator, and as the core takes them in.
class PackedProduct {
 public:
  /// `operands` outlive the product; the treatment is a product of two packed operands, its random
  /// streams set.
  PackedProduct(const ReplayOptions& options, const Operands& operands, const GemmSpec& spec,
                const GemmTreatment& treatment);
  PackedProduct(const PackedProduct&) = delete;
  PackedProduct& operator=(const PackedProduct&) = delete;

  const PackedMatrix& a() const { return a_.packed; }
  const PackedMatrix& b() const { return b_.packed; }
  /// What reference and emulator do beyond the two operands.
  const GemmCorrections& corrections() const { return corrections_; }

  const OperandStatistics& a_statistics() const { return a_statistics_; }
  const OperandStatistics& b_statistics() const { return b_statistics_; }

  const CoreOperand& core_a() const { return core_a_; }
  const CoreOperand& core_b() const { return core_b_; }
  /// The product on the core, of operands that are these or rows of them, into `d`.
  CoreGemm core_gemm(const CoreOperand& a, const CoreOperand& b, uint32_t* d) const;

 private:
  void make_residual(int threads, const GemmSpec& spec, const GemmTreatment& treatment);
  void set_corrections(const GemmTreatment& treatment);

  ScaledInput a_input_;
  ScaledInput b_input_;
  PreparedOperand a_;
  PreparedOperand b_;
  PackedMatrix selected_;
  std::optional<ResidualOperand> residual_;
  GemmCorrections corrections_;
  OperandStatistics a_statistics_;
  OperandStatistics b_statistics_;
  CoreOperand core_a_;
  CoreOperand core_b_;
};

/// Rows of an operand as an operand of its own.
class OperandRows {
 public:
  /// Rows [first, first + rows) of `whole`, which outlives this. Where the whole has a mask of
  /// tiles, they lie in whole row tiles or within one.
  OperandRows(const CoreOperand& whole, int64_t first, int64_t rows);
  OperandRows(const OperandRows&) = delete;
  OperandRows& operator=(const OperandRows&) = delete;

  const CoreOperand& operand() const { return operand_; }

 private:
  PackedMatrix packed_;
  MacroScales macro_;
  MatrixView view_;
  CoreOperand operand_;
};

/// Rows [first, first + rows) of a packed matrix.
PackedMatrix packed_rows(const PackedMatrix& matrix, int64_t first, int64_t rows);

/// The factors of these rows of a matrix of that `k`.
MacroScales macro_rows(const MacroScales& macro, int64_t k, int64_t first, int64_t rows);

}  // namespace nibblecore::tb
