// SPDX-License-Identifier: Apache-2.0
#include "hw/units/bandwidth_memory.hpp"

#include <algorithm>
#include <cstring>

namespace nibblecore::hw {

BandwidthMemory::BandwidthMemory(const sc_core::sc_module_name& name, const Rate& rate,
                                 int64_t latency, const sc_core::sc_time& cycle)
    : sc_core::sc_module(name),
      rate_(rate),
      cycle_(cycle),
      latency_(static_cast<double>(latency) * cycle),
      answers_(this, &BandwidthMemory::answer) {
  socket.register_nb_transport_fw(this, &BandwidthMemory::nb_transport_fw);
  socket.register_b_transport(this, &BandwidthMemory::b_transport);
  socket.register_transport_dbg(this, &BandwidthMemory::transport_dbg);
}

sc_core::sc_time BandwidthMemory::occupy(const tlm::tlm_generic_payload& transaction,
                                         const sc_core::sc_time& arrival) {
  const int64_t cycles = rate_.duration(transaction.get_data_length());
  free_ = std::max(free_, arrival) + static_cast<double>(cycles) * cycle_;
  return free_;
}

tlm::tlm_sync_enum BandwidthMemory::nb_transport_fw(tlm::tlm_generic_payload& transaction,
                                                    tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) {
    return tlm::TLM_ACCEPTED;
  }
  transaction.acquire();
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  const sc_core::sc_time end = occupy(transaction, now + delay) - now - 0.5 * cycle_;
  answers_.notify(transaction, tlm::END_REQ, end);
  answers_.notify(transaction, tlm::BEGIN_RESP, end + latency_);
  return tlm::TLM_ACCEPTED;
}

void BandwidthMemory::answer(tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase) {
  tlm::tlm_phase answer = phase;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  if (phase == tlm::BEGIN_RESP) {
    access(transaction);
  }
  socket->nb_transport_bw(transaction, answer, delay);
  if (phase == tlm::BEGIN_RESP) {
    transaction.release();
  }
}

void BandwidthMemory::b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  delay = occupy(transaction, now + delay) + latency_ - now;
  access(transaction);
}

unsigned int BandwidthMemory::transport_dbg(tlm::tlm_generic_payload& transaction) {
  access(transaction);
  return transaction.is_response_ok() ? transaction.get_data_length() : 0;
}

void BandwidthMemory::access(tlm::tlm_generic_payload& transaction) {
  const uint64_t address = transaction.get_address();
  const uint64_t length = transaction.get_data_length();
  if (address > bytes_.size() || length > bytes_.size() - address) {
    transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  uint8_t* memory = bytes_.data() + address;
  if (transaction.is_read()) {
    std::memcpy(transaction.get_data_ptr(), memory, length);
  } else if (transaction.is_write()) {
    std::memcpy(memory, transaction.get_data_ptr(), length);
  }
  transaction.set_dmi_allowed(false);
  transaction.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace nibblecore::hw
