// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include "model/machine/rate.hpp"

namespace nibblecore::hw {

/// The built-in memory: a rate and a latency behind a TLM-2.0 target socket (approximately timed:
/// requests, responses). A transaction of n bytes occupies it for rate.duration(n) cycles, then
/// the next may come; its data is there `latency` cycles later. Both answers are given half a cycle
/// before the clock edge at which they count, so that no process of that edge can miss them.
class BandwidthMemory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<BandwidthMemory> socket{"socket"};

  BandwidthMemory(const sc_core::sc_module_name& name, const Rate& rate, int64_t latency,
                  const sc_core::sc_time& cycle);
  BandwidthMemory(const BandwidthMemory&) = delete;
  BandwidthMemory& operator=(const BandwidthMemory&) = delete;

  /// The memory's bytes from address 0 on; a transaction beyond them gets an address error.
  std::vector<uint8_t>& bytes() { return bytes_; }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  unsigned int transport_dbg(tlm::tlm_generic_payload& transaction);
  void answer(tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase);
  /// Copies the data and sets the response.
  void access(tlm::tlm_generic_payload& transaction);
  /// When a transaction that comes at `arrival` leaves the memory's data bus.
  sc_core::sc_time occupy(const tlm::tlm_generic_payload& transaction,
                          const sc_core::sc_time& arrival);

  Rate rate_;
  sc_core::sc_time cycle_;
  sc_core::sc_time latency_;
  sc_core::sc_time free_;
  std::vector<uint8_t> bytes_;
  tlm_utils::peq_with_cb_and_phase<BandwidthMemory> answers_;
};

}  // namespace nibblecore::hw
