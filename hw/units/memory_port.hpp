// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "hw/channel/flag.hpp"
#include "hw/units/clocked_unit.hpp"
#include "hw/units/cycle_account.hpp"
#include "hw/units/gemm_job.hpp"
#include "hw/units/l1_region.hpp"
#include "hw/units/port_walk.hpp"
#include "hw/units/region_memory.hpp"
#include "hw/units/store_path.hpp"
#include "hw/units/timeline_sink.hpp"
#include "hw/units/transfer.hpp"

namespace nibblecore::hw {

/// The buffers between memory and core.
struct PortPath {
  L1Region& a;
  BufferFlags& a_flags;
  L1Region& b;
  BufferFlags& b_flags;
  RegionMemory& region;
  BufferFlags& region_flags;
  Flag& start_filled;
};

/// Largest burst that the port sends; kWholeTransfers leaves transfers uncut, as the built-in
/// memory's timing wants it.
inline constexpr int64_t kWholeTransfers = INT64_C(1) << 31;

/// Moves pieces of operands and regions of results between memory and the core, one transfer at a
/// time in the program's order, as a TLM-2.0 initiator (nb_transport). The next transfer may start
/// once the memory has ended the request of the last (END_REQ); data counts as arrived, and a store
/// as done, with the response (BEGIN_RESP). Any memory that speaks the base protocol can be bound.
class MemoryPort final : public ClockedUnit {
 public:
  tlm_utils::simple_initiator_socket<MemoryPort> socket{"socket"};
  sc_core::sc_out<bool> done{"done"};  ///< high for the cycle after the last response

  MemoryPort(const sc_core::sc_module_name& name, const PortPath& path, int64_t largest_burst,
             std::unique_ptr<StoreStage> store_path = std::make_unique<StorePath>());

  /// InternalError where the port is not quiet.
  void start(const GemmJob& job, TimelineSink* timeline);

  /// Whether the memory has answered everything that it was asked for. After a reset it may take a
  /// while: until then a write may still be on its way, and nothing may be asked for.
  bool quiet() const { return transfers_.empty() && abandoned_.empty(); }

  const UnitCycles& cycles() const { return account_.cycles(); }
  int64_t loaded_bytes() const { return loaded_bytes_; }
  int64_t stored_bytes() const { return stored_bytes_; }

  void trace(sc_core::sc_trace_file* file) const override;

 private:
  void tick() override;
  void reset() override;
  bool work();
  std::optional<StallCause> obstacle() const;
  void begin();
  void describe_start(Transfer& transfer);
  void describe_load(Transfer& transfer);
  void describe_store(Transfer& transfer);
  void send_burst();
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void on_answer(tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase);
  void end_request(const Transfer& transfer);
  void take_response(tlm::tlm_generic_payload& transaction);
  void complete(Transfer& transfer);

  PortPath path_;
  int64_t largest_burst_;
  GemmJob job_;
  PortWalk walk_;
  std::unique_ptr<StoreStage> store_path_;
  BurstPool pool_;
  std::deque<std::unique_ptr<Transfer>> transfers_;  ///< sent or being sent, oldest first
  std::deque<std::unique_ptr<Transfer>> abandoned_;  ///< by a reset, not yet answered
  bool requesting_ = false;   ///< the youngest transfer still occupies the port
  bool bursts_left_ = false;  ///< of that transfer, which may be answered before the port sees it
  const tlm::tlm_generic_payload* latest_burst_ = nullptr;
  bool request_ended_ = true;  ///< of that burst
  size_t a_half_ = 0;
  size_t b_half_ = 0;
  int64_t cycle_ = 0;
  bool active_ = false;
  CycleAccount account_;
  int64_t loaded_bytes_ = 0;
  int64_t stored_bytes_ = 0;
  TimelineSink* timeline_ = nullptr;
  tlm_utils::peq_with_cb_and_phase<MemoryPort> answers_;
};

}  // namespace nibblecore::hw
