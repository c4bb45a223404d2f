// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/analysis/signal_to_noise.hpp"
#include "model/analysis/ulp.hpp"
#include "model/quantize/agreement.hpp"
#include "model/trace/operand_view.hpp"
#include "tb/replay/packed_product.hpp"

namespace nibblecore::tb {

/// How results stand to numbers of higher precision.
struct OutputComparison {
  UlpHistogram qdq_ulp;           ///< to what a framework computes
  SignalToNoise signal_to_noise;  ///< to the unquantized product in FP64
  Agreement agreement;            ///< with that too
};

/// Compares the results `bits` [m, n] of a product, panel by panel (output_panels.hpp), so that the
/// other products are never whole in memory; equal on any number of threads. `product` may be null,
/// for a product of numbers: no framework's stands beside it. Where `truth` is not null, it gets
/// the FP64 product [m, n].
OutputComparison compare_outputs(const Operands& operands, const PackedProduct* product,
                                 const std::vector<uint32_t>& bits, int threads,
                                 std::vector<double>* truth);

}  // namespace nibblecore::tb
