// SPDX-License-Identifier: Apache-2.0
#include "hw/units/bandwidth_memory.hpp"

#include <memory>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "tests/hardware/simulation_test.hpp"

namespace nibblecore::hw {
namespace {

/// Sends transactions and notes the times of the answers.
class Initiator final : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  tlm_utils::simple_initiator_socket<Initiator> socket{"socket"};

  struct Sent {
    std::unique_ptr<tlm::tlm_generic_payload> transaction;
    std::vector<uint8_t> bytes;
    double request_end = -1;  ///< ns
    double response = -1;
  };
  std::vector<std::unique_ptr<Sent>> sent;

  explicit Initiator(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    socket.register_nb_transport_bw(this, &Initiator::nb_transport_bw);
  }

  tlm::tlm_generic_payload& make(tlm::tlm_command command, uint64_t address,
                                 std::vector<uint8_t> bytes) {
    auto entry = std::make_unique<Sent>();
    entry->bytes = std::move(bytes);
    entry->transaction = std::make_unique<tlm::tlm_generic_payload>(this);
    tlm::tlm_generic_payload& transaction = *entry->transaction;
    transaction.acquire();
    transaction.set_command(command);
    transaction.set_address(address);
    transaction.set_data_ptr(entry->bytes.data());
    transaction.set_data_length(static_cast<unsigned int>(entry->bytes.size()));
    transaction.set_streaming_width(static_cast<unsigned int>(entry->bytes.size()));
    sent.push_back(std::move(entry));
    return transaction;
  }

  const Sent& send(tlm::tlm_command command, uint64_t address, std::vector<uint8_t> bytes) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(make(command, address, std::move(bytes)), phase, delay);
    return *sent.back();
  }

  void free(tlm::tlm_generic_payload*) override {}

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) {
    for (std::unique_ptr<Sent>& entry : sent) {
      if (entry->transaction.get() == &transaction) {
        const double now = sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS);
        (phase == tlm::END_REQ ? entry->request_end : entry->response) = now;
      }
    }
    return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }
};

class BandwidthMemoryTest : public test::SimulationTest {
 protected:
  /// A memory of 64 bytes, 3 bytes in 2 cycles, latency 5.
  struct Bench {
    Initiator initiator{"initiator"};
    BandwidthMemory memory{"memory", {3, 2}, 5, sc_core::sc_time(1, sc_core::SC_NS)};

    Bench() {
      initiator.socket.bind(memory.socket);
      memory.bytes().resize(64);
      std::iota(memory.bytes().begin(), memory.bytes().end(), uint8_t{100});
      run(1);
    }
    static void run(int64_t cycles) {
      sc_core::sc_start(static_cast<double>(cycles), sc_core::SC_NS);
    }
  };
};

TEST_F(BandwidthMemoryTest, OccupancyAndLatencyEndHalfACycleBeforeTheirEdges) {
  Bench bench;
  const Initiator::Sent& sent =
      bench.initiator.send(tlm::TLM_READ_COMMAND, 10, std::vector<uint8_t>(4));
  Bench::run(20);
  EXPECT_EQ(sent.request_end, 1 + 3 - 0.5) << "4 bytes take ceil(8 / 3) cycles";
  EXPECT_EQ(sent.response, 1 + 3 + 5 - 0.5);
  EXPECT_EQ(sent.bytes, (std::vector<uint8_t>{110, 111, 112, 113}));
  EXPECT_EQ(sent.transaction->get_ref_count(), 1) << "the memory let go of it";
}

TEST_F(BandwidthMemoryTest, TransactionsOccupyItOneAfterTheOther) {
  Bench bench;
  bench.initiator.send(tlm::TLM_READ_COMMAND, 0, std::vector<uint8_t>(3));
  bench.initiator.send(tlm::TLM_READ_COMMAND, 0, std::vector<uint8_t>(7));
  Bench::run(20);
  EXPECT_EQ(bench.initiator.sent[0]->request_end, 2.5);
  EXPECT_EQ(bench.initiator.sent[1]->request_end, 1 + 2 + 5 - 0.5);
  EXPECT_EQ(bench.initiator.sent[1]->response, 1 + 2 + 5 + 5 - 0.5);
  // Idle in between does not count as occupied.
  const Initiator::Sent& later =
      bench.initiator.send(tlm::TLM_READ_COMMAND, 0, std::vector<uint8_t>(1));
  Bench::run(20);
  EXPECT_EQ(later.request_end, 21 + 1 - 0.5);
}

TEST_F(BandwidthMemoryTest, AWriteIsSeenByTheReadBehindIt) {
  Bench bench;
  bench.initiator.send(tlm::TLM_WRITE_COMMAND, 63, {7});
  const Initiator::Sent& read =
      bench.initiator.send(tlm::TLM_READ_COMMAND, 62, std::vector<uint8_t>(2));
  Bench::run(20);
  EXPECT_EQ(read.bytes, (std::vector<uint8_t>{162, 7}));
  EXPECT_EQ(read.transaction->get_response_status(), tlm::TLM_OK_RESPONSE);
}

TEST_F(BandwidthMemoryTest, BytesBeyondItAreAnAddressError) {
  Bench bench;
  const Initiator::Sent& last =
      bench.initiator.send(tlm::TLM_READ_COMMAND, 63, std::vector<uint8_t>(2));
  const Initiator::Sent& far =
      bench.initiator.send(tlm::TLM_WRITE_COMMAND, UINT64_MAX, std::vector<uint8_t>(2));
  Bench::run(20);
  EXPECT_EQ(last.transaction->get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(far.transaction->get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(bench.initiator.socket->transport_dbg(
                bench.initiator.make(tlm::TLM_READ_COMMAND, 60, std::vector<uint8_t>(5))),
            0U);
}

TEST_F(BandwidthMemoryTest, DebugTransportTakesNoTime) {
  Bench bench;
  EXPECT_EQ(bench.initiator.socket->transport_dbg(
                bench.initiator.make(tlm::TLM_WRITE_COMMAND, 8, {1, 2, 3, 4, 5, 6, 7})),
            7U);
  EXPECT_EQ(bench.memory.bytes()[14], 7);
  const Initiator::Sent& sent =
      bench.initiator.send(tlm::TLM_READ_COMMAND, 8, std::vector<uint8_t>(3));
  Bench::run(20);
  EXPECT_EQ(sent.request_end, 1 + 2 - 0.5);
}

TEST_F(BandwidthMemoryTest, BlockingTransportAnnotatesTheSameTimes) {
  Bench bench;
  sc_core::sc_time delay(2, sc_core::SC_NS);
  bench.initiator.socket->b_transport(
      bench.initiator.make(tlm::TLM_READ_COMMAND, 1, std::vector<uint8_t>(3)), delay);
  EXPECT_EQ(delay, sc_core::sc_time(2 + 2 + 5, sc_core::SC_NS));
  EXPECT_EQ(bench.initiator.sent[0]->bytes[0], 101);
  delay = sc_core::SC_ZERO_TIME;
  bench.initiator.socket->b_transport(
      bench.initiator.make(tlm::TLM_READ_COMMAND, 1, std::vector<uint8_t>(3)), delay);
  EXPECT_EQ(delay, sc_core::sc_time(4 + 2 + 5, sc_core::SC_NS)) << "behind the first";
}

}  // namespace
}  // namespace nibblecore::hw
