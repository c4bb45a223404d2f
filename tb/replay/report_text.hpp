// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace nibblecore::tb {

/// A ratio as reports hold it: six decimals, below which a BLAS or a logarithm may differ from
/// processor to processor; never -0.
double rounded(double value);
/// The same, null where there is none.
boost::json::value rounded(const std::optional<double>& value);

/// `text` as a field of a CSV file, quoted where it must be.
std::string csv_field(const std::string& text);

/// Writes `[{...},{...}]`, an element a line.
void write_json_list(std::ostream& out, const std::vector<boost::json::object>& list);
/// The same of `count` elements that are made one at a time, for lists that may be long.
void write_json_list(std::ostream& out, size_t count,
                     const std::function<boost::json::object(size_t index)>& element);

}  // namespace nibblecore::tb
