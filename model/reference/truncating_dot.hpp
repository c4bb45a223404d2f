// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/accumulation.hpp"
#include "model/formats/block_format.hpp"
#include "model/reference/dot_corrections.hpp"
#include "model/reference/exact_operand.hpp"

namespace nibblecore {

/// FP32 bits of `c` plus row a times row b under a policy that truncates: a chain of truncating
/// nodes. No scale is NaN, nor is `c`; there is a block. `truncation` receives what all nodes lost.
uint32_t truncating_dot(const ExactRow& a, const ExactRow& b, const BlockFormat& format, uint32_t c,
                        Accumulation policy, const DotCorrections& corrections,
                        uint8_t& truncation);

}  // namespace nibblecore
