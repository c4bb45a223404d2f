// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "model/scheme/gemm_treatment.hpp"
#include "model/trace/gemm_record.hpp"
#include "tb/replay/machine_gemm.hpp"

namespace nibblecore::tb {

/// A matrix [rows, k], blocks along k.
struct MatrixSize {
  int64_t rows;
  int64_t k;

  double elements() const { return static_cast<double>(rows) * static_cast<double>(k); }
};

/// Bits of the packed matrix: whole blocks, and 32 for the tensor scale of NVFP4.
double block_bits(const BlockFormat& format, const MatrixSize& size);

/// Bits that a macro block's factor is stored in: static the mantissa of c, which is what arXiv
/// 2603.08713 stores (the exponent is in the block scales); dynamic the FP16 factor, 16.
int factor_bits(const MacroBlockScaling& scaling);

/// Bits of the factors of all macro blocks.
double macro_bits(const MacroBlockScaling& scaling, const MatrixSize& size);

/// What a residual costs beside its operand.
struct ResidualCost {
  double bits = 0;       ///< codes, scales, positions or masks
  double mac_share = 0;  ///< of the operand's multiply-accumulates, which it adds
};

/// The cost of a residual (docs/sweep.md). Where kept tiles may be smaller at the edges, they count
/// with the mean size. Nothing where the values alone decide how many tiles are kept (theta).
std::optional<ResidualCost> residual_cost(const ResidualTreatment& residual,
                                          const BlockFormat& format, const MatrixSize& size);

/// Bits and values of an operand, or of the operands of several GEMMs.
struct OperandStorage {
  double values = 0;
  double bits = 0;
  bool is_known = true;        ///< false where a part follows from the values
  std::set<int> factor_sizes;  ///< bits of the macro factors that are there

  /// Nothing where it is not known or there are no values.
  std::optional<double> bits_per_value() const;
};

/// What the operands of GEMMs take to store and multiply; every GEMM reads operands of its own.
struct Storage {
  OperandStorage a;
  OperandStorage b;
  double useful_macs = 0;
  double macs = 0;  ///< those of residuals included; unknown as `a`'s bits are

  /// Adds a record's GEMMs, all calls and products of a batch. `types` are those of operands that
  /// stay unquantized.
  void add(const GemmRecord& record, const OperandTypes& types, const GemmTreatment& treatment);
  /// Of both operands together.
  std::optional<double> bits_per_value() const;
  /// Multiply-accumulates per useful one.
  std::optional<double> macs_per_mac() const;
};

/// Adds one matrix under `treatment`, `count` times.
void add_operand(const OperandTreatment& treatment, ValueType type, const MatrixSize& size,
                 double count, OperandStorage& storage);

/// Adds its residual to an operand, which has one.
void add_residual(const GemmTreatment& treatment, const MatrixSize& size, double count,
                  OperandStorage& storage);

}  // namespace nibblecore::tb
