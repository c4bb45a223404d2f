// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/bench/paired_rates.hpp"

namespace nibblecore::bench {

/// Multiply-accumulates of bytes as fast as the widest dot-product instruction of the vector units
/// issues, on one thread: independent chains in registers, no memory. AMX is not counted.
Contender multiply_peak();

}  // namespace nibblecore::bench
