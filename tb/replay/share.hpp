// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace nibblecore::tb {

/// `part` / `whole`; none where there is no whole.
std::optional<double> share_if_any(int64_t part, int64_t whole);

/// The same, 0 where there is no whole.
double share(int64_t part, int64_t whole);

}  // namespace nibblecore::tb
