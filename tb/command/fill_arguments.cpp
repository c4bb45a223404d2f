// SPDX-License-Identifier: Apache-2.0
#include "tb/command/fill_arguments.hpp"

#include "model/common/error.hpp"

namespace nibblecore::tb {

void FillArguments::add_to(Arguments& arguments) {
  std::string laws;
  for (const Law& law : kLaws) {
    laws += (laws.empty() ? "" : ", ") + std::string(law.name);
  }
  arguments.optional("--fill", laws_,
                     "give records without operands synthetic values, marked so in all outputs: "
                     "LAW[:SCALE] for all tensors, or x=LAW[:SCALE],w=...,dy=... (x input, w "
                     "weights, dy gradient of the output; one left out is gaussian); laws: " +
                         laws);
  arguments.optional("--fill-outliers", outliers_,
                     "RATE:FACTOR multiplies this share of x's channels by FACTOR; or "
                     "x=RATE:FACTOR,w=...,dy=...");
  arguments.optional("--fill-type", type_, "bf16 (the default) or f32");
}

std::optional<Fill> FillArguments::resolve() const {
  if (laws_.empty()) {
    if (!outliers_.empty() || !type_.empty()) {
      throw InputError(outliers_.empty() ? "--fill-type" : "--fill-outliers",
                       "says more about --fill, which is missing");
    }
    return std::nullopt;
  }
  Fill fill = parse_fill(laws_);
  if (!outliers_.empty()) {
    parse_outliers(outliers_, fill);
  }
  if (!type_.empty()) {
    fill.type = parse_fill_type(type_);
  }
  return fill;
}

}  // namespace nibblecore::tb
