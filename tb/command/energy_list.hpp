// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace nibblecore::tb {

/// The built-in energy tables: every entry with its mark and source, and caveats.
std::string energy_list();

}  // namespace nibblecore::tb
