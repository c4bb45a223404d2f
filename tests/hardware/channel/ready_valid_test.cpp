// SPDX-License-Identifier: Apache-2.0
#include "hw/channel/ready_valid.hpp"

#include <deque>
#include <vector>

#include <gtest/gtest.h>

#include "hw/units/clocked_unit.hpp"
#include "tests/hardware/simulation_test.hpp"

namespace nibblecore::hw {
namespace {

/// Sends 1, 2, 3, ... as fast as the channel takes them.
class Source final : public ClockedUnit {
 public:
  sc_core::sc_port<ReadyValidOut<int>> out{"out"};

  explicit Source(const sc_core::sc_module_name& name) : ClockedUnit(name) {}

 private:
  void tick() override {
    if (out->can_push()) {
      out->back() = ++sent_;
      out->push();
    }
  }
  void reset() override { sent_ = 0; }

  int sent_ = 0;
};

/// Takes an entry in every `period`th cycle and notes when it came.
class Sink final : public ClockedUnit {
 public:
  sc_core::sc_port<ReadyValidIn<int>> in{"in"};
  std::vector<std::pair<int, int>> received;  ///< (cycle, value)

  Sink(const sc_core::sc_module_name& name, int period) : ClockedUnit(name), period_(period) {}

 private:
  void tick() override {
    if (cycle_ % period_ == 0 && in->can_pop()) {
      received.emplace_back(cycle_, in->front());
      in->pop();
    }
    ++cycle_;
  }
  void reset() override {
    in->clear();
    cycle_ = 0;
    received.clear();
  }

  int period_;
  int cycle_ = 0;
};

struct Pipe {
  explicit Pipe(int period) : sink("sink", period) {
    source.clock(clock);
    sink.clock(clock);
    source.reset_n(reset_n);
    sink.reset_n(reset_n);
    source.out(channel);
    sink.in(channel);
    reset_n.write(true);
  }

  void run(int cycles) { sc_core::sc_start(cycles, sc_core::SC_NS); }

  sc_core::sc_clock clock{"clock", 1, sc_core::SC_NS};
  sc_core::sc_signal<bool> reset_n{"reset_n"};
  ReadyValid<int> channel{"channel", 0};
  Source source{"source"};
  Sink sink;
};

using ReadyValidTest = test::SimulationTest;

TEST_F(ReadyValidTest, OneCycleOfLatencyAndAnEntryEveryCycle) {
  Pipe pipe(1);
  pipe.run(10);
  ASSERT_EQ(pipe.sink.received.size(), 9U);
  for (size_t i = 0; i < pipe.sink.received.size(); ++i) {
    EXPECT_EQ(pipe.sink.received[i],
              std::make_pair(static_cast<int>(i) + 1, static_cast<int>(i) + 1));
  }
}

TEST_F(ReadyValidTest, ASlowConsumerHoldsTheProducerBackWithoutLoss) {
  Pipe pipe(3);
  pipe.run(60);
  ASSERT_EQ(pipe.sink.received.size(), 19U);
  for (size_t i = 0; i < pipe.sink.received.size(); ++i) {
    EXPECT_EQ(pipe.sink.received[i].second, static_cast<int>(i) + 1);
    EXPECT_EQ(pipe.sink.received[i].first, 3 * static_cast<int>(i + 1));
  }
  EXPECT_EQ(pipe.channel.occupancy(), 2U);
}

TEST_F(ReadyValidTest, ThrottlingDelaysButNeverReordersOrLoses) {
  Pipe pipe(1);
  pipe.channel.throttle(9, 0.5);
  pipe.run(200);
  ASSERT_GT(pipe.sink.received.size(), 50U);
  ASSERT_LT(pipe.sink.received.size(), 150U);
  for (size_t i = 0; i < pipe.sink.received.size(); ++i) {
    EXPECT_EQ(pipe.sink.received[i].second, static_cast<int>(i) + 1);
  }
}

TEST_F(ReadyValidTest, ResetEmptiesTheChannel) {
  Pipe pipe(1000);
  pipe.run(5);
  EXPECT_EQ(pipe.channel.occupancy(), 2U);
  pipe.reset_n.write(false);
  pipe.run(2);
  EXPECT_EQ(pipe.channel.occupancy(), 0U);
}

TEST_F(ReadyValidTest, BreakingTheProtocolIsAnError) {
  Pipe pipe(1);
  EXPECT_THROW(pipe.channel.pop(), InternalError);
  pipe.channel.push();
  EXPECT_THROW(pipe.channel.push(), InternalError);
}

}  // namespace
}  // namespace nibblecore::hw
