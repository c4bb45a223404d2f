// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/formats/preset.hpp"

namespace nibblecore {

// The presets of each format, its default first.
std::vector<Preset> mxfp4_presets();
std::vector<Preset> hif4_presets();
std::vector<Preset> nvfp4_presets();

}  // namespace nibblecore
