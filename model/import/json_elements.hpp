// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "model/import/byte_source.hpp"

namespace nibblecore {

/// What to read of a large JSON document.
struct JsonElements {
  /// The top-level member whose elements are wanted, such as "traceEvents". A top level that is an
  /// array gives its own elements.
  std::string_view array;
  /// Called with each element, from index 0 and the memory of which ends with the call. A number
  /// with a fraction or an exponent comes as a string, as it is written: a double would round times
  /// in nanoseconds.
  std::function<void(const boost::json::value& element, int64_t index)> on_element;
  /// Other top-level members that are wanted whole; the rest is checked and dropped.
  std::vector<std::string_view> members;
  std::function<void(std::string_view key, const boost::json::value& value)> on_member;
};

/// Reads a JSON document from first to last byte, keeping one element at a time. Returns whether it
/// had the array. InputError naming file, offset and reason where it is not JSON in UTF-8, nests
/// deeper than 64, has a string of more than 16 MiB or an element of more than 8 MiB, ends early,
/// or is followed by other text; what the callbacks throw passes through.
bool read_json_elements(ByteSource& source, const JsonElements& wanted);

}  // namespace nibblecore
