// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <systemc>

namespace nibblecore::test {

/// Gives every test a simulation of its own within one process. CTest starts a process a test, so
/// that each also runs in the way the SystemC standard provides for.
class SimulationTest : public testing::Test {
 protected:
  void SetUp() override { sc_core::sc_curr_simcontext = nullptr; }
};

}  // namespace nibblecore::test
