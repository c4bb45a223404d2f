// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "tb/replay/layer_measures.hpp"

namespace nibblecore::tb {

/// The layer-level measures of a replay as text tables, each empty one left out.
std::string layer_tables(const LayerReport& report);

/// The same as JSON, ratios rounded to six decimals.
boost::json::object layer_report_json(const LayerReport& report);

}  // namespace nibblecore::tb
