// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "model/formats/packed_matrix.hpp"
#include "model/formats/residual_operand.hpp"
#include "model/machine/gemm_spec.hpp"
#include "model/trace/trace.hpp"
#include "tb/bench/core_gemm.hpp"
#include "tb/replay/replay_options.hpp"

namespace nibblecore::tb {

/// One product's operands: as the golden quantizer packs them, for reference and emulator, and as
/// the core takes them in.
class PackedProduct {
 public:
  /// `operands` outlive the product.
  PackedProduct(const ReplayOptions& options, const Operands& operands, const GemmSpec& spec);
  PackedProduct(const PackedProduct&) = delete;
  PackedProduct& operator=(const PackedProduct&) = delete;

  const PackedMatrix& a() const { return a_; }
  const PackedMatrix& b() const { return b_; }
  /// A's residual as selected, or null.
  const ResidualOperand* residual() const { return residual_ ? &*residual_ : nullptr; }

  const CoreOperand& core_a() const { return core_a_; }
  const CoreOperand& core_b() const { return core_b_; }

 private:
  void make_residual(const ReplayOptions& options, const Operands& operands, const GemmSpec& spec);

  PackedMatrix a_;
  PackedMatrix b_;
  PackedMatrix selected_;
  std::optional<ResidualOperand> residual_;
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

}  // namespace nibblecore::tb
