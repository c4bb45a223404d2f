// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>

namespace nibblecore::tb {

/// FP32 bits of an addend for a fused multiplier and adder that has this product on its other side:
/// one that cancels it, or nearly; ties, and one last bit beside them; a few bits far below; any
/// distance of exponents.
uint32_t random_addend(double product, std::mt19937_64& random);

}  // namespace nibblecore::tb
