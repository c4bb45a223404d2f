// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/trace/trace.hpp"
#include "tb/bench/core_bench.hpp"
#include "tb/replay/replay.hpp"

namespace nibblecore::tb {

/// Quantizes and multiplies one product of a record and adds what it measures to `result`. The
/// emulator computes it; where `bench` is not null, so do the SystemC core and the golden
/// reference, and every bit is compared.
void replay_product(const ReplayOptions& options, const Operands& operands, CoreBench* bench,
                    GemmResult& result);

}  // namespace nibblecore::tb
