// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

namespace nibblecore {

/// Deepest nesting of arrays and objects that parse_strict_json accepts.
inline constexpr int kJsonDepth = 32;

/// Parses one JSON document (RFC 8259, valid UTF-8) and refuses what usual parsers let pass: a key
/// that an object has twice, deep nesting, a number too large for FP64, text after the document.
/// InputError names `file` and the offset, counted from `base_offset` at the first byte of `text`.
boost::json::value parse_strict_json(std::string_view text, const std::string& file,
                                     int64_t base_offset);

/// The integer that `value` is written as: no fraction, no exponent, within 64 bits; else nothing.
std::optional<int64_t> json_integer(const boost::json::value& value);

/// `text` quoted and escaped for a message, cut where it is long.
std::string in_quotes(std::string_view text);

/// `value` as JSON for a message, cut where it is long.
std::string shown(const boost::json::value& value);

}  // namespace nibblecore
