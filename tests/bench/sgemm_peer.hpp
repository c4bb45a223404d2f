// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/bench/child_process.hpp"
#include "tests/bench/paired_rates.hpp"

namespace nibblecore::bench {

/// OpenBLAS SGEMM of dequantized operands, size^3, on one thread, in child processes, since the
/// kernels are chosen when the library is loaded (OPENBLAS_CORETYPE).
class SgemmPeer {
 public:
  /// The fastest of some settings; a null one leaves the variable unset.
  SgemmPeer(int64_t size, const std::vector<const char*>& core_types);

  /// Named after the setting and the kernel that it gave.
  Contender contender() const;

 private:
  int64_t size_;
  std::unique_ptr<ChildProcess> child_;
  std::string name_;
};

/// Every setting that may give the fastest kernel, and those that keep to AVX2.
std::vector<const char*> all_core_types();
std::vector<const char*> avx2_core_types();

/// The child's side.
int run_sgemm_child(int64_t size);

/// A matrix [rows, k] of normally distributed numbers, the same for the same seed.
std::vector<float> gaussian(int64_t rows, int64_t k, uint32_t seed);

}  // namespace nibblecore::bench
