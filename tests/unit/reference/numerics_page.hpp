// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace nibblecore {

/// The text of docs/numerics.md, whose figures these tests hold.
const std::string& numerics_page();

}  // namespace nibblecore
