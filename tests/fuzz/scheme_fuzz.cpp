// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "model/scheme/scheme.hpp"
#include "tests/fuzz/readers.hpp"
#include "tests/fuzz/sample_records.hpp"

namespace nibblecore {
namespace {

void require_operand(const OperandTreatment& operand) {
  require(std::isfinite(operand.pre_scale) && operand.pre_scale > 0, "pre_scale is usable");
  if (operand.recipe) {
    require_recipe(*operand.recipe, 0);
    require(!operand.recipe->noise || std::isfinite(operand.recipe->noise->sigma),
            "sigma is finite");
  }
}

void require_treatment(const GemmTreatment& treatment) {
  require_operand(treatment.a);
  require_operand(treatment.b);
  require(std::isfinite(treatment.residual.alpha.value_or(1)), "alpha is finite");
  if (const auto& selection = treatment.residual.selection) {
    require(std::isfinite(selection->theta.value_or(1)), "theta is finite");
    require_fallback_tiles(selection->tiles);
  }
}

}  // namespace

// Matching is part of it: a regular expression may be found too laborious only then.
Verdict fuzz_scheme(std::string_view bytes) {
  Scheme scheme;
  if (!accepts([&] { scheme = parse_scheme(bytes, "scheme"); })) {
    return Verdict::kRefused;
  }
  for (const SchemeRule& rule : scheme.rules) {
    require_treatment(rule.treatment);
  }
  const bool matched = accepts([&] {
    for (const GemmRecord& record : sample_records()) {
      scheme.treatment(record);
    }
  });
  return matched ? Verdict::kAccepted : Verdict::kRefused;
}

}  // namespace nibblecore
