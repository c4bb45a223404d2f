// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/gemm.hpp"

#include "model/emulate/emulated_gemm.hpp"

namespace nibblecore {

void emulate_gemm(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy,
                  const uint32_t* c, uint32_t* d, int threads, const GemmCorrections& corrections,
                  const EmulatorOptions& options) {
  const EmulatedGemm gemm(a, b, policy, threads, corrections, options.target);
  gemm.run(c, d, threads, options.truncation);
}

}  // namespace nibblecore
