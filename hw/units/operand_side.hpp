// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace nibblecore::hw {

/// Which operand a unit serves.
enum class OperandSide { kA, kB };

}  // namespace nibblecore::hw
