// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "tb/decompose/decompose_run.hpp"

namespace nibblecore::tb {

/// One figure of a report's record.
struct Figure {
  /// A ratio or a logarithm, written with six decimals; none where it is not defined.
  struct Ratio {
    std::optional<double> value;
  };
  /// A figure in the units of the tensor, written in full.
  struct Amount {
    double value;
  };

  std::string_view name;
  std::variant<int64_t, bool, Ratio, Amount> value;
};

/// Every figure of some values: the same names in the same order for all of them.
/// docs/decomposition.md says what each is.
std::vector<Figure> figures_of(const DecomposedValues& values);

}  // namespace nibblecore::tb
