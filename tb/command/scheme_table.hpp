// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace nibblecore::tb {

/// The built-in schemes: what each GEMM's operands get, with source and caveats.
std::string scheme_table();

}  // namespace nibblecore::tb
