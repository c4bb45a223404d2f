// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/formats/accumulation.hpp"
#include "model/formats/gemm_corrections.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore::comparison {

/// A random GEMM that a policy has arithmetic for. The same seed gives the same one.
///
/// K has a mean near 64 and is at most 512; scales lie anywhere, close together, in two clusters,
/// or where sums leave FP32; some are NaN; elements may be few, cancel in a block or between
/// blocks, or make blocks of zeros; C may be missing, special, any bits, or near the sums; some
/// have a residual, macro scales, alphas.
class ComparisonCase {
 public:
  ComparisonCase(Accumulation policy, uint64_t seed);
  ComparisonCase(const ComparisonCase&) = delete;
  ComparisonCase& operator=(const ComparisonCase&) = delete;

  const PackedMatrix& a() const { return a_; }
  const PackedMatrix& b() const { return b_; }
  const GemmCorrections& corrections() const { return corrections_; }
  /// FP32 bits of C, or null.
  const uint32_t* c() const { return c_.empty() ? nullptr : c_.data(); }
  int64_t outputs() const { return a_.rows * b_.rows; }
  std::string description() const;

 private:
  PackedMatrix a_;
  PackedMatrix b_;
  PackedMatrix residual_;
  std::optional<ResidualOperand> residual_operand_;
  MacroScales a_macro_;
  MacroScales b_macro_;
  GemmCorrections corrections_;
  std::vector<uint32_t> c_;
};

}  // namespace nibblecore::comparison
