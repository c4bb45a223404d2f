// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/common/embedded_text.hpp"

namespace nibblecore {

/// The files of model/workload/models, in the order in which the build lists them.
std::vector<EmbeddedText> model_texts();

}  // namespace nibblecore
