// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace nibblecore::tb {

/// What `list layouts` prints: every layout with its formats, meaning and provenance.
std::string layout_table();

}  // namespace nibblecore::tb
