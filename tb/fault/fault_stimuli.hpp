// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tb/fault/fault_stimulus.hpp"

namespace nibblecore::tb {

using FaultStimuli = std::vector<std::unique_ptr<FaultStimulus>>;

/// The stimuli of one format, those that find the most first: random ones through every path of the
/// core, then those directed at what they miss. `seed` decides the random ones. Under `blackwell`
/// those of its node.
FaultStimuli make_stimuli(const BlockFormat& format, uint64_t seed,
                          Accumulation accumulation = Accumulation::kFp32Rne);

/// Random data through every path: dense, the residual in each build, online operands, both output
/// widths, extreme scales and start values, NaN in every block of a step.
void add_random_stimuli(const BlockFormat& format, uint64_t seed, FaultStimuli& stimuli);

/// Pairs of start value and term for the accumulator's adder: every distance of exponents, ties,
/// near ties with one bit below, cancellation, subnormals, overflow.
void add_adder_stimuli(const BlockFormat& format, uint64_t seed, FaultStimuli& stimuli);

/// Factors, accumulators of a residual and start values for the store path's fused multiplier and
/// adder: the same of a product and an addend.
void add_fma_stimuli(const BlockFormat& format, uint64_t seed, FaultStimuli& stimuli);

/// Sums, factors and start values for the circuit that takes in macro blocks: the same again.
void add_epilogue_stimuli(const BlockFormat& format, uint64_t seed, FaultStimuli& stimuli);

/// Groups and start values for the node of `blackwell`: every distance of exponents, cancellation,
/// groups without a product, subnormals, overflow.
void add_node_stimuli(const BlockFormat& format, uint64_t seed, FaultStimuli& stimuli);

}  // namespace nibblecore::tb
