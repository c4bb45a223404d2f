// SPDX-License-Identifier: Apache-2.0
#include "hw/units/memory_port.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include "model/common/error.hpp"
#include "tests/hardware/simulation_test.hpp"
#include "tests/hardware/support/clocking.hpp"
#include "tests/hardware/support/flag_watch.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore::hw {
namespace {

using test::Clocking;
using test::FlagPoster;
using test::FlagWatch;

using Changes = std::vector<std::pair<int64_t, int64_t>>;
using Cycles = std::vector<int64_t>;

constexpr int64_t kRequest = 3;   // cycles until a request ends
constexpr int64_t kResponse = 7;  // and until its data is there

/// Notes every request; ends it, and answers, a fixed time later. Reads give the byte's address.
class Memory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory> socket{"socket"};

  struct Request {
    int64_t cycle;
    bool write;
    uint64_t address;
    int64_t length;

    friend bool operator==(const Request& a, const Request& b) {
      return a.cycle == b.cycle && a.write == b.write && a.address == b.address &&
             a.length == b.length;
    }
  };
  std::vector<Request> requests;
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;

  explicit Memory(const sc_core::sc_module_name& name)
      : sc_core::sc_module(name), answers_(this, &Memory::answer) {
    socket.register_nb_transport_fw(this, &Memory::nb_transport_fw);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase&,
                                     sc_core::sc_time&) {
    const auto cycle = static_cast<int64_t>(sc_core::sc_time_stamp() / Clocking::cycle());
    requests.push_back(
        {cycle, transaction.is_write(), transaction.get_address(), transaction.get_data_length()});
    if (transaction.is_read()) {
      std::iota(transaction.get_data_ptr(),
                transaction.get_data_ptr() + transaction.get_data_length(),
                static_cast<uint8_t>(transaction.get_address()));
    }
    transaction.set_response_status(status);
    const sc_core::sc_time half = 0.5 * Clocking::cycle();
    answers_.notify(transaction, tlm::END_REQ,
                    static_cast<double>(kRequest) * Clocking::cycle() - half);
    answers_.notify(transaction, tlm::BEGIN_RESP,
                    static_cast<double>(kResponse) * Clocking::cycle() - half);
    return tlm::TLM_ACCEPTED;
  }

  void answer(tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase) {
    tlm::tlm_phase answer = phase;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(transaction, answer, delay);
  }

  tlm_utils::peq_with_cb_and_phase<Memory> answers_;
};

struct Bench {
  explicit Bench(const Program& program, int64_t largest_burst = kWholeTransfers)
      : region(program.machine().core),
        port("port", PortPath{a, a_flags, b, b_flags, region, region_flags, start_filled},
             largest_burst) {
    port.socket.bind(memory.socket);
    port.done(done);
    for (ClockedUnit* unit : std::initializer_list<ClockedUnit*>{
             &port, &free_a, &fill_region, &watch_a, &watch_b, &watch_region, &watch_start}) {
      clocking.bind(*unit);
    }
    job.program = &program;
    job.a_address = 0x1000;
    job.b_address = 0x2000;
    job.start_address = 0x3000;
    job.store_address = 0x4000;
    a.start(program.a_half_bytes());
    b.start(program.b_half_bytes());
    region.start(program.body({}).tiles(), program.spec());
    clear();
  }

  void clear() {
    a_flags.clear();
    b_flags.clear();
    region_flags.clear();
    start_filled.set(0);
    port.start(job, nullptr);
  }

  int64_t stalled(StallCause cause) const {
    return port.cycles().stalls.at(static_cast<size_t>(cause));
  }

  GemmJob job;
  Clocking clocking;
  L1Region a;
  L1Region b;
  BufferFlags a_flags{"a"};
  BufferFlags b_flags{"b"};
  RegionMemory region;
  BufferFlags region_flags{"region"};
  Flag start_filled{"start_filled"};
  sc_core::sc_signal<bool> done{"done"};
  Memory memory{"memory"};
  FlagPoster free_a{"free_a", a_flags.free};
  FlagPoster fill_region{"fill_region", region_flags.filled};
  FlagWatch watch_a{"watch_a", a_flags.filled};
  FlagWatch watch_b{"watch_b", b_flags.filled};
  FlagWatch watch_region{"watch_region", region_flags.free};
  FlagWatch watch_start{"watch_start", start_filled};
  MemoryPort port;
};

// Two regions of one tile of NVFP4: pieces of 16 x (32 + 4) = 576 bytes, results of 1024.
GemmSpec two_regions() { return {16, 32, 64, kNvfp4}; }

class MemoryPortTest : public test::SimulationTest {};

TEST_F(MemoryPortTest, TransfersFollowEachOtherWhenRequestsEnd) {
  const Program program(round_machine(), two_regions(), {1, 1, 1});
  Bench bench(program);
  bench.fill_region.cycles = {0, 0};
  bench.clocking.run(40);
  const std::vector<Memory::Request> expected{{0, false, 0x1000, 576},        //
                                              {3, false, 0x2000, 576},        //
                                              {6, false, 0x1000, 576},        //
                                              {9, false, 0x2000 + 576, 576},  //
                                              {12, true, 0x4000, 1024},       //
                                              {15, true, 0x4000 + 1024, 1024}};
  EXPECT_EQ(bench.memory.requests, expected);
  EXPECT_EQ(bench.port.cycles().busy, 6 * kRequest);
  EXPECT_EQ(bench.port.loaded_bytes(), 4 * 576);
  EXPECT_EQ(bench.port.stored_bytes(), 2 * 1024);
}

TEST_F(MemoryPortTest, DataIsThereWithTheResponseAndGoesToTheHalvesInTurn) {
  const Program program(round_machine(), two_regions(), {1, 1, 1});
  Bench bench(program);
  bench.clocking.run(40);
  EXPECT_EQ(bench.watch_a.changes, (Changes{{7, 1}, {13, 2}}));
  EXPECT_EQ(bench.watch_b.changes, (Changes{{10, 1}, {16, 2}}));
  EXPECT_EQ(bench.b.piece(0, 0)[5], 5);
  EXPECT_EQ(bench.b.piece(1, 0)[5], static_cast<uint8_t>(576 + 5));
}

TEST_F(MemoryPortTest, ALoadWaitsForAFreeHalf) {
  const Program program(round_machine(), two_regions(), {1, 1, 1});
  Bench bench(program);
  bench.a_flags.free.set(1);
  bench.free_a.cycles = {20};
  bench.clocking.run(40);
  EXPECT_EQ(bench.memory.requests.at(2).cycle, 21);
  EXPECT_EQ(bench.stalled(StallCause::kFullBuffer), 21 - 6);
}

TEST_F(MemoryPortTest, AStoreWaitsForItsRegionAndFreesItWhenItsRequestEnds) {
  const Program program(round_machine(), two_regions(), {1, 1, 1});
  Bench bench(program);
  bench.region_flags.free.set(0);
  bench.fill_region.cycles = {19, 30};
  bench.clocking.run(50);
  EXPECT_EQ(bench.memory.requests.at(4).cycle, 20);
  EXPECT_EQ(bench.memory.requests.at(5).cycle, 31);
  EXPECT_EQ(bench.stalled(StallCause::kResult), (20 - 12) + (31 - 23));
  EXPECT_EQ(bench.watch_region.changes, (Changes{{23, 1}, {34, 2}}));
}

TEST_F(MemoryPortTest, DoneIsHighForTheCycleAfterTheLastResponse) {
  const Program program(round_machine(), two_regions(), {1, 1, 1});
  Bench bench(program);
  bench.fill_region.cycles = {0, 0};
  // The last request falls into cycle 15, its response into 22: seen at that edge.
  bench.clocking.run(22);
  EXPECT_FALSE(bench.done.read());
  bench.clocking.run(1);
  EXPECT_TRUE(bench.done.read());
  bench.clocking.run(1);
  EXPECT_FALSE(bench.done.read());
  EXPECT_EQ(bench.port.cycles().total(), 23);
}

TEST_F(MemoryPortTest, StartValuesTakeAHalfOfTheRegionsAndFillIt) {
  GemmSpec spec = two_regions();
  spec.start = Start::kFromMemory;
  const Program program(round_machine(), spec, {1, 1, 1});
  Bench bench(program);
  bench.clocking.run(30);
  EXPECT_EQ(bench.memory.requests.at(2), (Memory::Request{6, false, 0x3000, 1024}));
  EXPECT_EQ(bench.watch_start.changes, (Changes{{13, 1}, {22, 2}}));
  EXPECT_EQ(bench.region_flags.free.count(), 0);
  EXPECT_EQ(bench.region.tile(0, 0)[1], 0x07060504U);
  EXPECT_EQ(bench.region.tile(1, 0)[1], 0x07060504U) << "address 0x3400 ends in 0 too";
}

TEST_F(MemoryPortTest, BurstsAreCutWholeAndTheLastIsShort) {
  const Program program(round_machine(), two_regions(), {1, 1, 1});
  Bench bench(program, 256);
  bench.clocking.run(25);
  const std::vector<Memory::Request> expected{
      {0, false, 0x1000, 256},  {3, false, 0x1100, 256},  {6, false, 0x1200, 64},
      {9, false, 0x2000, 256},  {12, false, 0x2100, 256}, {15, false, 0x2200, 64},
      {18, false, 0x1000, 256}, {21, false, 0x1100, 256}, {24, false, 0x1200, 64}};
  EXPECT_EQ(bench.memory.requests, expected);
  EXPECT_EQ(bench.watch_a.changes, (Changes{{13, 1}})) << "with the last burst's response";
  EXPECT_EQ(bench.a.piece(0, 0)[256 + 3], 3);
}

TEST_F(MemoryPortTest, AnErrorResponseIsAnError) {
  const Program program(round_machine(), two_regions(), {1, 1, 1});
  Bench bench(program);
  bench.memory.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  EXPECT_THROW(bench.clocking.run(10), std::exception);
}

TEST_F(MemoryPortTest, AnswersToAnAbandonedTransferFillNothing) {
  const Program program(round_machine(), two_regions(), {1, 1, 1});
  Bench bench(program);
  bench.clocking.run(5);  // the first transfer awaits its data, the second its request's end
  bench.clocking.reset(1);
  EXPECT_FALSE(bench.port.quiet());
  EXPECT_THROW(bench.port.start(bench.job, nullptr), InternalError);
  bench.clocking.run(20);
  EXPECT_TRUE(bench.port.quiet());
  EXPECT_TRUE(bench.watch_a.changes.empty());
  EXPECT_TRUE(bench.watch_b.changes.empty());
  EXPECT_EQ(bench.a.piece(0, 0)[5], 0);
  EXPECT_EQ(bench.memory.requests.size(), 2U);
  bench.clear();
  bench.clocking.run(20);
  EXPECT_EQ(bench.memory.requests.at(2), (Memory::Request{26, false, 0x1000, 576}));
  EXPECT_EQ(bench.watch_a.changes.at(0), (std::pair<int64_t, int64_t>{33, 1}));
}

}  // namespace
}  // namespace nibblecore::hw
