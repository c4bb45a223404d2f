// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/accumulation.hpp"
#include "model/formats/block_format.hpp"
#include "model/reference/dot_corrections.hpp"
#include "model/reference/exact_operand.hpp"

namespace nibblecore {

/// The golden dot product: FP32 bits of `c` plus row a times row b under `policy`, which must have
/// an arithmetic for `format`. A NaN scale or a NaN c gives nan_of(policy); an infinite accumulator
/// takes in finite blocks without changing.
///
/// With a row of A's residual, each `granule` of K is a run of dense blocks, then one of residual
/// blocks; the policy's roundings fall within each run as they do in a row of its own, but `exact`
/// rounds once in all. Macro factors, the alpha of the residual and their special values are as
/// GemmCorrections states; `exact` takes both exactly into its one sum.
///
/// `truncation`, where given, receives what truncation took (kAlignmentLoss, kResultLoss) in any
/// node; 0 where a NaN scale or a `c` that is not finite decides the result.
uint32_t reference_dot(const ExactRow& a, const ExactRow& b, const BlockFormat& format, uint32_t c,
                       Accumulation policy, const DotCorrections& corrections = {},
                       uint8_t* truncation = nullptr);

}  // namespace nibblecore
