// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/machine/partition.hpp"
#include "model/trace/trace.hpp"
#include "tb/bench/core_bench.hpp"
#include "tb/replay/replay.hpp"

namespace nibblecore::tb {

/// What a product is replayed with; pointers are null where the fidelity does without.
struct ProductRun {
  GemmSpec spec;
  GemmTreatment treatment;  ///< random streams set
  int64_t batch_index = 0;
  int64_t ordinal = 0;  ///< of the product within the replay: picks its sample of tiles
  const Partition* partition = nullptr;
  CoreBench* bench = nullptr;
  hw::TimelineSink* timeline = nullptr;
  const LayerObserver* observer = nullptr;
  std::vector<LayerObservation>* observations = nullptr;  ///< what the observer sees is added to it
};

/// Quantizes and multiplies one product of a record and adds what its values show to `result`: the
/// emulator computes it, and as the fidelity wants the SystemC core computes all or a sample of it,
/// every bit of which is compared with the golden reference.
void replay_product(const ReplayOptions& options, const Operands& operands, const ProductRun& run,
                    GemmResult& result);

}  // namespace nibblecore::tb
