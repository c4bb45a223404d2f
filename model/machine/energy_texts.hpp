// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/common/embedded_text.hpp"

namespace nibblecore {

/// The files of model/machine/energy, in the order in which the build lists them.
std::vector<EmbeddedText> energy_texts();

}  // namespace nibblecore
