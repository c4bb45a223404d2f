// SPDX-License-Identifier: Apache-2.0
#include "hw/units/scale_unit.hpp"

#include "hw/datapath/e8m0_scale.hpp"
#include "hw/datapath/hif4_scale.hpp"
#include "hw/datapath/ue4m3_scale.hpp"
#include "hw/datapath/width.hpp"
#include "model/common/error.hpp"

namespace nibblecore::hw {
namespace {

ScaleFields fields_of(ScaleKind kind, uint8_t code) {
  switch (kind) {
    case ScaleKind::kE8m0:
      return e8m0_fields(code);
    case ScaleKind::kUe4m3:
      return ue4m3_fields(code);
    case ScaleKind::kHif4:
      return hif4_fields(code);
  }
  throw InternalError("unknown kind of scale");
}

}  // namespace

ScaleUnit::ScaleUnit(const sc_core::sc_module_name& name, const CoreDescription& core)
    : ClockedUnit(name),
      core_(core),
      a_fields_(static_cast<size_t>(core.rows)),
      b_fields_(static_cast<size_t>(core.columns)) {}

void ScaleUnit::tick() {
  const bool ready = products->can_push();
  if (!ready || !a_scales->can_pop() || !b_scales->can_pop()) {
    return;
  }
  ScaleProducts& result = products->back();
  result.tag = a_scales->front().tag;
  if (!(result.tag == b_scales->front().tag)) {
    throw InternalError(std::string(name()) + ": scales of two different steps met");
  }
  for (int block = 0; block < core_.depth / format_.block; ++block) {
    multiply_block(block, result);
  }
  lane0_ = {result.significands[0], result.exponents[0], result.nan[0] != 0};
  products->push();
  a_scales->pop();
  b_scales->pop();
}

void ScaleUnit::multiply_block(int block, ScaleProducts& result) {
  const auto blocks = static_cast<size_t>(core_.depth / format_.block);
  for (size_t i = 0; i < a_fields_.size(); ++i) {
    a_fields_[i] =
        fields_of(format_.scale, a_scales->front().scales[i * blocks + static_cast<size_t>(block)]);
  }
  for (size_t j = 0; j < b_fields_.size(); ++j) {
    b_fields_[j] =
        fields_of(format_.scale, b_scales->front().scales[j * blocks + static_cast<size_t>(block)]);
  }
  WidthMonitor significand_width(kScaleSignificand);
  WidthMonitor exponent_width(kScaleExponent);
  size_t out = static_cast<size_t>(block) * a_fields_.size() * b_fields_.size();
  for (const ScaleFields& a : a_fields_) {
    for (const ScaleFields& b : b_fields_) {
      const ScaleFactor factor = multiply(a, b);
      significand_width.observe(factor.significand);
      exponent_width.observe(factor.is_nan ? 0 : factor.exponent);
      result.significands[out] = factor.significand;
      result.exponents[out] = factor.exponent;
      result.nan[out] = factor.is_nan ? 1 : 0;
      ++out;
    }
  }
  significand_width.require();
  exponent_width.require();
}

void ScaleUnit::reset() {
  a_scales->clear();
  b_scales->clear();
}

void ScaleUnit::trace(sc_core::sc_trace_file* file) const {
  const std::string prefix = std::string(name()) + ".lane0_";
  sc_core::sc_trace(file, lane0_.significand, prefix + "significand");
  sc_core::sc_trace(file, lane0_.exponent, prefix + "exponent");
  sc_core::sc_trace(file, lane0_.is_nan, prefix + "nan");
}

}  // namespace nibblecore::hw
