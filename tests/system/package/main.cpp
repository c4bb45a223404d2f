// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <cstdio>

#include "model/analysis/qdq.hpp"
#include "model/formats/preset.hpp"
#include "model/quantize/quantize.hpp"
#include "model/reference/gemm.hpp"

/// Quantizes a block of MXFP4, multiplies it with itself, and prints "ok" where bits are right.
int main() {
  std::array<float, 32> values{};
  values[0] = 6.0F;
  values[1] = -1.5F;
  values[2] = 0.6F;
  const nibblecore::MatrixView view = nibblecore::row_major_view(values.data(), 1, 32);
  const nibblecore::PackedMatrix packed =
      nibblecore::quantize(view, nibblecore::preset(nibblecore::kMxfp4, "rceil"), 1);
  uint32_t golden = 0;
  nibblecore::reference_gemm(packed, packed, nibblecore::Accumulation::kFp32Rne, nullptr, &golden,
                             1);
  // 6^2 + 1.5^2 + 0.5^2; the QDQ product needs the BLAS that the package brings.
  const bool right = golden == 0x421A0000 && nibblecore::qdq_product(packed, packed)[0] == 38.5F;
  std::puts(right ? "ok" : "wrong bits");
  return right ? 0 : 1;
}
