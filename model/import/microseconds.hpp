// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <boost/json/value.hpp>

namespace nibblecore {

/// Nanoseconds of a time in microseconds, an integer or the text of a decimal number ("12.345";
/// digits beyond the third are dropped), exactly: a double would round times since 1970. Nothing
/// where it is no such number or leaves 64 bits.
std::optional<int64_t> nanoseconds(const boost::json::value& microseconds);

}  // namespace nibblecore
