// SPDX-License-Identifier: Apache-2.0
#include "model/formats/scale_rule.hpp"

#include <algorithm>

#include "model/formats/named_record.hpp"

namespace nibblecore {

ScaleRule scale_rule(std::string_view name) {
  return find_record(kScaleRules, name, "--scale-rule").rule;
}

std::string_view name_of(ScaleRule rule) {
  return std::find_if(kScaleRules.begin(), kScaleRules.end(),
                      [&](const ScaleRuleRecord& record) { return record.rule == rule; })
      ->name;
}

}  // namespace nibblecore
