// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace nibblecore::tb {

/// Every preset with rule, rounding, departures from the exact rule and provenance, and what each
/// departure is.
std::string preset_table();

}  // namespace nibblecore::tb
