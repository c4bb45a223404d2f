// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nibblecore::tb {

/// "a,b,c" as its names; none where `text` is empty. InputError at `place` for an empty name or one
/// that is there twice.
std::vector<std::string> name_list(std::string_view text, const std::string& place);

/// The parts of `text` between `separator`s, empty ones included.
std::vector<std::string> split(std::string_view text, char separator);

}  // namespace nibblecore::tb
