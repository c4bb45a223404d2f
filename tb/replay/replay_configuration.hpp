// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/object.hpp>

#include "tb/replay/replay_options.hpp"

namespace nibblecore::tb {

/// What a replay was told to do, with the sources of its machine and scheme, as reports hold it. No
/// number of threads is in it: results don't depend on that.
boost::json::object replay_configuration(const ReplayOptions& options);

}  // namespace nibblecore::tb
