// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/factor_multiplier.hpp"

#include <vector>

#include "hw/channel/lanes.hpp"
#include "hw/datapath/fp16_factor.hpp"
#include "hw/datapath/width.hpp"

namespace nibblecore::hw {

template <class Hooks>
void multiply_factors(const CoreDescription& core, const ScaleSlice& a, const ScaleSlice& b,
                      ScaleProducts& result, const Hooks& hooks) {
  uint32_t united = 0;
  const auto factor = [&](const ScaleSlice& slice, Site site, int64_t index) {
    uint16_t code = slice.factors[static_cast<size_t>(index)];
    hooks.value(site, index, code);
    return fp16_fields(code);
  };
  std::vector<FactorFields> rows;
  for (int64_t row = 0; row < core.rows; ++row) {
    rows.push_back(factor(a, Site::kAFactor, row));
  }
  for (int64_t column = 0; column < core.columns; ++column) {
    const FactorFields first = factor(b, Site::kBFactor, column);
    const FactorFields second = factor(b, Site::kBFactor, core.columns + column);
    for (int64_t row = 0; row < core.rows; ++row) {
      FactorFields product = factor_product(rows[static_cast<size_t>(row)], first);
      hooks.value(Site::kFactorSignificand, row * core.columns + column, product.significand);
      hooks.value(Site::kFactorExponent, row * core.columns + column, product.exponent);
      united |= product.significand;
      const auto at = static_cast<size_t>(row * padded_lanes(core.columns) + column);
      const size_t behind = at + result.factor_significands.size() / kStepMacroBlocks;
      result.factor_significands[at] = product.significand;
      result.factor_exponents[at] = product.exponent;
      // A step that reaches into a second macro block is one of A's residual, so of an A without
      // factors.
      result.factor_significands[behind] = second.significand;
      result.factor_exponents[behind] = second.exponent;
    }
  }
  require_united_width(kFactorSignificand, united);
}

template void multiply_factors(const CoreDescription&, const ScaleSlice&, const ScaleSlice&,
                               ScaleProducts&, const NoHooks&);
template void multiply_factors(const CoreDescription&, const ScaleSlice&, const ScaleSlice&,
                               ScaleProducts&, const ProbeHooks&);

}  // namespace nibblecore::hw
