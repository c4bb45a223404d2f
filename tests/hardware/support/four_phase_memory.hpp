// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <set>

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include "tests/hardware/support/memory_bytes.hpp"

namespace nibblecore::test {

/// How a FourPhaseMemory gives its answers.
enum class AnswerStyle {
  kCalls,      ///< END_REQ and BEGIN_RESP by calls of their own
  kNoEndReq,   ///< BEGIN_RESP alone, which ends the request too
  kReturned,   ///< END_REQ as the return value of the request's call, with a delay
  kResponse,   ///< BEGIN_RESP as that return value; waits for END_RESP before it takes the next
  kCompleted,  ///< everything at once as that return value
};

/// An example of an approximately timed memory: requests end and data comes at times that are no
/// clock edges, and data in any order. It holds the core to the base protocol: a request before the
/// last one ended, or a response that is never ended, is an error.
class FourPhaseMemory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<FourPhaseMemory> socket{"socket"};

  FourPhaseMemory(const sc_core::sc_module_name& name, size_t size, AnswerStyle style,
                  uint32_t seed);

  const MemoryBytes& bytes() const { return bytes_; }
  int64_t bursts() const { return bursts_; }
  unsigned int largest_burst() const { return largest_burst_; }
  /// Bursts whose data overtook that of an earlier one.
  int64_t overtaken() const { return overtaken_; }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  tlm::tlm_sync_enum request(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                             sc_core::sc_time& delay);
  unsigned int transport_dbg(tlm::tlm_generic_payload& transaction) {
    return bytes_.debug(transaction);
  }
  void answer(tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase);
  void respond(tlm::tlm_generic_payload& transaction);
  sc_core::sc_time random_time(int most_picoseconds);

  MemoryBytes bytes_;
  AnswerStyle style_;
  std::mt19937 random_;
  const tlm::tlm_generic_payload* requesting_ = nullptr;
  const tlm::tlm_generic_payload* responding_ = nullptr;  ///< waits for END_RESP
  std::set<int64_t> unanswered_;                          ///< numbers of bursts
  std::map<const tlm::tlm_generic_payload*, int64_t> numbers_;
  int64_t bursts_ = 0;
  unsigned int largest_burst_ = 0;
  int64_t overtaken_ = 0;
  tlm_utils::peq_with_cb_and_phase<FourPhaseMemory> answers_;
};

}  // namespace nibblecore::test
