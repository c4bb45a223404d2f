// SPDX-License-Identifier: Apache-2.0
#include "hw/channel/flag.hpp"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "tests/hardware/simulation_test.hpp"
#include "tests/hardware/support/clocking.hpp"
#include "tests/hardware/support/flag_watch.hpp"

namespace nibblecore::hw {
namespace {

using test::Clocking;
using test::FlagPoster;

/// Takes whenever it can, and notes when.
class Taker final : public ClockedUnit {
 public:
  std::vector<int64_t> cycles;

  Taker(const sc_core::sc_module_name& name, Flag& flag) : ClockedUnit(name), flag_(flag) {}

 private:
  void tick() override {
    while (flag_.ready()) {
      flag_.take();
      cycles.push_back(cycle_);
    }
    ++cycle_;
  }
  void reset() override {}

  Flag& flag_;
  int64_t cycle_ = 0;
};

class FlagTest : public test::SimulationTest {
 protected:
  /// Cycles in which a taker got what was posted in cycles 2, 2 and 5; the two processes in this
  /// order.
  static std::vector<int64_t> taken(bool poster_first) {
    sc_core::sc_curr_simcontext = nullptr;
    Clocking clocking;
    Flag flag("flag");
    std::unique_ptr<FlagPoster> poster;
    if (poster_first) {
      poster = std::make_unique<FlagPoster>("poster", flag);
    }
    Taker taker("taker", flag);
    if (!poster_first) {
      poster = std::make_unique<FlagPoster>("poster", flag);
    }
    poster->cycles = {2, 2, 5};
    clocking.bind(*poster);
    clocking.bind(taker);
    clocking.run(10);
    EXPECT_EQ(flag.count(), 0);
    return taker.cycles;
  }
};

TEST_F(FlagTest, WhatIsPostedIsThereFromTheNextCycleOnInEitherOrderOfProcesses) {
  const std::vector<int64_t> expected{3, 3, 6};
  EXPECT_EQ(taken(true), expected);
  EXPECT_EQ(taken(false), expected);
}

TEST_F(FlagTest, WhatWasTakenIsGoneAtOnceAndTakingMoreIsAnError) {
  Flag flag("flag");
  flag.set(1);
  EXPECT_TRUE(flag.ready());
  flag.take();
  EXPECT_FALSE(flag.ready());
  flag.post();
  EXPECT_FALSE(flag.ready()) << "a post of this cycle";
  EXPECT_THROW(flag.take(), InternalError);
  sc_core::sc_start(1, sc_core::SC_NS);
  EXPECT_TRUE(flag.ready());
}

TEST_F(FlagTest, SetDropsWhatWasUnderWay) {
  Flag flag("flag");
  flag.post();
  flag.set(0);
  sc_core::sc_start(1, sc_core::SC_NS);
  EXPECT_FALSE(flag.ready());
}

TEST_F(FlagTest, ADoubleBufferStartsWithBothHalvesFree) {
  BufferFlags flags("buffer");
  flags.filled.set(1);
  flags.clear();
  EXPECT_EQ(flags.filled.count(), 0);
  EXPECT_EQ(flags.free.count(), 2);
}

}  // namespace
}  // namespace nibblecore::hw
