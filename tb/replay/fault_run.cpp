// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/fault_run.hpp"

#include <algorithm>
#include <memory>

#include "hw/datapath/hooks.hpp"
#include "tb/bench/core_bench.hpp"
#include "tb/fault/fault_probe.hpp"
#include "tb/fault/fault_stimulus.hpp"

namespace nibblecore::tb {
namespace {

/// A simulation beside the one that the caller has.
class OwnSimulation {
 public:
  OwnSimulation() : outer_(sc_core::sc_curr_simcontext) { sc_core::sc_curr_simcontext = nullptr; }
  ~OwnSimulation() {
    delete sc_core::sc_curr_simcontext;
    sc_core::sc_curr_simcontext = outer_;
  }
  OwnSimulation(const OwnSimulation&) = delete;
  OwnSimulation& operator=(const OwnSimulation&) = delete;

 private:
  sc_core::sc_simcontext* outer_;
};

/// The results of the first core's share among all, [rows, columns].
void put_share(const CoreShare& share, int64_t n, const std::vector<uint32_t>& part,
               std::vector<uint32_t>& all) {
  for (int64_t row = 0; row < share.rows; ++row) {
    std::copy_n(part.begin() + row * share.columns, share.columns,
                all.begin() + (share.first_row + row) * n + share.first_column);
  }
}

}  // namespace

void require_fault(const Fault& fault, const Partition& partition) {
  const Program& program = partition.programs[partition.shares.front().program].program;
  require_instance(fault, site_extents(program));
}

FaultRun run_with_fault(const Fault& fault, const Partition& partition,
                        const PackedProduct& product, const std::vector<uint32_t>& sound) {
  const CoreShare& share = partition.shares.front();
  const Program& program = partition.programs[share.program].program;
  const OperandRows a(product.core_a(), share.first_row, share.rows);
  const OperandRows b(product.core_b(), share.first_column, share.columns);
  std::vector<uint32_t> part(static_cast<size_t>(share.rows * share.columns));
  FaultProbe probe(fault);
  FaultRun result;
  try {
    const OwnSimulation simulation;
    ProbeBench bench("faulty_bench", program.machine(), hw::SimdTarget::kBaseline, BoundMemory{},
                     hw::ProbeHooks(probe));
    bench.run(program, product.core_gemm(a.operand(), b.operand(), part.data()));
  } catch (const std::exception& error) {
    // The kernel turns what a process throws into a report of its own.
    result.ended_by = error.what();
  }
  result.changed_values = probe.changed();
  if (result.ended_by.empty()) {
    std::vector<uint32_t> faulty = sound;
    put_share(share, product.b().rows, part, faulty);
    result.effect = fault_effect(sound, faulty);
  }
  return result;
}

}  // namespace nibblecore::tb
