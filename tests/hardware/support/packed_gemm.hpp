// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/formats/packed_matrix.hpp"
#include "model/machine/gemm_spec.hpp"
#include "tb/bench/core_gemm.hpp"

namespace nibblecore::test {

/// A GEMM of packed operands that a test has made itself, and what the golden reference makes of
/// them.
class PackedGemm {
 public:
  /// `start` [m, n] FP32 bits, or empty: accumulators start at +0.
  PackedGemm(PackedMatrix a, PackedMatrix b, std::vector<uint32_t> start = {},
             Accumulation accumulation = Accumulation::kFp32Rne);
  PackedGemm(const PackedGemm&) = delete;
  PackedGemm& operator=(const PackedGemm&) = delete;

  GemmSpec spec() const;
  const tb::CoreGemm& gemm() const { return gemm_; }
  /// What the core wrote, [m, n] bits.
  const std::vector<uint32_t>& result() const { return result_; }
  std::vector<uint32_t> golden() const;
  /// Fills the result with a pattern that no result has.
  void forget_result();

 private:
  PackedMatrix a_;
  PackedMatrix b_;
  std::vector<uint32_t> start_;
  Accumulation accumulation_;
  std::vector<uint32_t> result_;
  tb::CoreGemm gemm_;
};

}  // namespace nibblecore::test
