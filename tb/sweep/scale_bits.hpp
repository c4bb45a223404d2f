// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/analysis/scale_sweep.hpp"

namespace nibblecore::tb {

/// A scale of the sweep and its name: "E8M3 up", "E8M3 nearest", "E8M3 down", "unquantized".
struct NamedScale {
  std::string name;
  ScaleChoice choice;
};

/// The scales that `text` asks for: numbers of mantissa bits (0 to 23), ranges of them such as
/// 0..8, and `inf`, separated by commas; each number in three roundings. E8M0 rounded up, which the
/// others are related to, comes first whatever is asked. InputError at `--scale-bits` for anything
/// else, or a number that is there twice.
std::vector<NamedScale> scales_of(std::string_view text);

}  // namespace nibblecore::tb
