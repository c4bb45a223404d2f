// SPDX-License-Identifier: Apache-2.0
#include "tests/hardware/support/four_phase_memory.hpp"

#include <algorithm>
#include <string>

#include "model/common/error.hpp"

namespace nibblecore::test {
namespace {

constexpr int kMostRequestTime = 3'300;  // ps
constexpr int kMostDataTime = 40'000;

void require(bool condition, const char* what) {
  if (!condition) {
    throw InternalError(std::string("base protocol: ") + what);
  }
}

}  // namespace

FourPhaseMemory::FourPhaseMemory(const sc_core::sc_module_name& name, size_t size,
                                 AnswerStyle style, uint32_t seed)
    : sc_core::sc_module(name),
      bytes_(size),
      style_(style),
      random_(seed),
      answers_(this, &FourPhaseMemory::answer) {
  socket.register_nb_transport_fw(this, &FourPhaseMemory::nb_transport_fw);
  socket.register_transport_dbg(this, &FourPhaseMemory::transport_dbg);
}

sc_core::sc_time FourPhaseMemory::random_time(int most_picoseconds) {
  return {static_cast<double>(std::uniform_int_distribution<int>(1, most_picoseconds)(random_)),
          sc_core::SC_PS};
}

tlm::tlm_sync_enum FourPhaseMemory::nb_transport_fw(tlm::tlm_generic_payload& transaction,
                                                    tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    require(responding_ == &transaction, "END_RESP of a transaction that got no response");
    responding_ = nullptr;
    return tlm::TLM_COMPLETED;
  }
  require(phase == tlm::BEGIN_REQ, "a phase that an initiator does not send");
  require(requesting_ == nullptr, "BEGIN_REQ before the END_REQ of the last");
  require(responding_ == nullptr, "a response was never ended");
  ++bursts_;
  largest_burst_ = std::max(largest_burst_, transaction.get_data_length());
  return request(transaction, phase, delay);
}

tlm::tlm_sync_enum FourPhaseMemory::request(tlm::tlm_generic_payload& transaction,
                                            tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const sc_core::sc_time request_time = random_time(kMostRequestTime);
  const sc_core::sc_time data_time = request_time + random_time(kMostDataTime);
  if (style_ == AnswerStyle::kCompleted || style_ == AnswerStyle::kResponse) {
    bytes_.access(transaction);
    delay += data_time;
    if (style_ == AnswerStyle::kCompleted) {
      return tlm::TLM_COMPLETED;
    }
    phase = tlm::BEGIN_RESP;
    responding_ = &transaction;
    return tlm::TLM_UPDATED;
  }
  transaction.acquire();
  numbers_[&transaction] = bursts_;
  unanswered_.insert(bursts_);
  answers_.notify(transaction, tlm::BEGIN_RESP, data_time);
  if (style_ == AnswerStyle::kReturned) {
    phase = tlm::END_REQ;
    delay += request_time;
    return tlm::TLM_UPDATED;
  }
  requesting_ = &transaction;
  if (style_ == AnswerStyle::kCalls) {
    answers_.notify(transaction, tlm::END_REQ, request_time);
  }
  return tlm::TLM_ACCEPTED;
}

void FourPhaseMemory::answer(tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase) {
  if (requesting_ == &transaction) {
    requesting_ = nullptr;
  }
  if (phase == tlm::BEGIN_RESP) {
    respond(transaction);
    return;
  }
  tlm::tlm_phase answer = phase;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_bw(transaction, answer, delay);
}

void FourPhaseMemory::respond(tlm::tlm_generic_payload& transaction) {
  const int64_t number = numbers_.at(&transaction);
  numbers_.erase(&transaction);
  overtaken_ += *unanswered_.begin() < number ? 1 : 0;
  unanswered_.erase(number);
  bytes_.access(transaction);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  if (socket->nb_transport_bw(transaction, phase, delay) != tlm::TLM_COMPLETED) {
    responding_ = &transaction;
  }
  transaction.release();
}

}  // namespace nibblecore::test
