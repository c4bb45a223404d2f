// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/formats/preset.hpp"
#include "tb/command/command_line.hpp"

namespace nibblecore::tb {

/// The options that choose a quantizer: --format, --preset, and for mxfp4 --scale-rule with
/// --rounding.
struct PresetOptions {
  std::string format = "mxfp4";
  std::string preset;
  std::string scale_rule;
  std::string rounding;

  void add_to(Arguments& arguments);
  /// Whether anything but the default format was named.
  bool is_given() const;
  /// The preset they name; InputError where they contradict each other or name nothing known.
  Preset resolve() const;
};

}  // namespace nibblecore::tb
