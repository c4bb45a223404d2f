// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace nibblecore::hw {

/// Lanes that the kernels of the datapath take at a time.
inline constexpr int kLanes = 16;

/// The length of an array that holds `lanes` lanes in whole groups.
constexpr int padded_lanes(int lanes) { return (lanes + kLanes - 1) / kLanes * kLanes; }

}  // namespace nibblecore::hw
