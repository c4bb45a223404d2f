// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/common/embedded_text.hpp"

namespace nibblecore {

/// The files of model/workload/recipes, in the order in which the build lists them.
std::vector<EmbeddedText> recipe_texts();

}  // namespace nibblecore
