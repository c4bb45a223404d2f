// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/macro_epilogue.hpp"

#include <algorithm>

#include "model/emulate/multiply_add.hpp"

namespace nibblecore {
namespace {

// A vectorised loop of either: processors with AVX2 have the instruction.
void add_products(const float* sums, const float* factors, float* accumulators) {
  for (size_t i = 0; i < kStripColumns; ++i) {
    accumulators[i] = multiply_add(sums[i], factors[i], accumulators[i]);
  }
}

[[gnu::target("avx2,fma")]] void add_products_fused(const float* sums, const float* factors,
                                                    float* accumulators) {
  for (size_t i = 0; i < kStripColumns; ++i) {
    accumulators[i] = __builtin_fmaf(sums[i], factors[i], accumulators[i]);
  }
}

}  // namespace

void take_in_macro_block(float a_factor, const ColumnFactors& b_factors, MacroEpilogue epilogue,
                         EmulatorTarget target, float* sums, float* accumulators) {
  // The product of two FP16 factors is exact.
  ColumnFactors factors;
  for (size_t i = 0; i < factors.size(); ++i) {
    factors[i] = a_factor * b_factors[i];
  }
  if (epilogue == MacroEpilogue::kSeparate) {
    for (size_t i = 0; i < factors.size(); ++i) {
      accumulators[i] += sums[i] * factors[i];
    }
  } else if (target == EmulatorTarget::kPortable) {
    add_products(sums, factors.data(), accumulators);
  } else {
    add_products_fused(sums, factors.data(), accumulators);
  }
  std::fill_n(sums, factors.size(), 0.0F);
}

}  // namespace nibblecore
