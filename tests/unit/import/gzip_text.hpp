// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace nibblecore {

/// `text` as one gzip member.
std::string gzip(const std::string& text);

}  // namespace nibblecore
