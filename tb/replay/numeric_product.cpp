// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/numeric_product.hpp"

#include "model/common/checked.hpp"
#include "model/emulate/gemm.hpp"
#include "tb/replay/number_product.hpp"
#include "tb/replay/packed_product.hpp"

namespace nibblecore::tb {

std::vector<uint32_t> numeric_product(const ReplayOptions& options, const Operands& operands,
                                      const GemmTreatment& treatment) {
  std::vector<uint32_t> bits;
  if (treatment.is_block_scaled()) {
    ReplayOptions numeric = options;
    numeric.fidelity = Fidelity::kNumeric;
    const GemmSpec spec{operands.a.rows, operands.b.rows, operands.a.k,
                        treatment.a.recipe->preset.format};
    const PackedProduct product(numeric, operands, spec, treatment);
    bits.resize(static_cast<size_t>(checked_multiply(spec.m, spec.n, "outputs of a GEMM")));
    emulate_gemm(product.a(), product.b(), options.accumulation, nullptr, bits.data(),
                 options.threads, product.corrections());
  } else {
    bits = number_product(operands, treatment, options.threads).bits;
  }
  round_to_output(options.output, bits);
  return bits;
}

}  // namespace nibblecore::tb
