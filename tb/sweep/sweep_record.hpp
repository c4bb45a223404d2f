// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "tb/sweep/sweep_result.hpp"

namespace nibblecore::tb {

/// The names of a grid point: format, preset, correction, residual and scheme, null where it has
/// none.
boost::json::object point_record(const GridPoint& point);

/// A row's figures by name (docs/sweep.md), the same names in the same order for every row of a
/// sweep. Ratios have six decimals, relative errors six digits.
boost::json::object row_record(SweepInputKind kind, const SweepRow& row);

/// The figures of a row's layer kinds, of a sweep over tensors.
boost::json::array kind_records(const SweepRow& row);

/// A skipped point with its reason.
boost::json::object skipped_record(const SkippedPoint& skipped);

/// `value` with six significant digits, null where there is none.
boost::json::value six_digits(const std::optional<double>& value);

/// The members of flat records as a CSV file: names in the first line, null as an empty cell. All
/// records have the same names in the same order.
std::string csv_of(const std::vector<boost::json::object>& records);

}  // namespace nibblecore::tb
