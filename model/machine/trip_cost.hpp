// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/machine/program.hpp"
#include "model/machine/step_times.hpp"

namespace nibblecore {

/// Durations of one trip of a program, in cycles; 0 where the trip has no such operation.
struct TripCost {
  int64_t load_a = 0;
  int64_t load_b = 0;
  int64_t start = 0;
  int64_t store = 0;
  int64_t move_a = 0;
  int64_t move_b = 0;
  StepTimes steps;
  int64_t longest = 0;  ///< no later than this after the trip's units were free, all is over
};

/// Of a trip with this body and these passes. InputError where a duration leaves 64 bits.
TripCost trip_cost(const Program& program, const ChunkBody& body, const PassCounts& counts);

/// Cycles from the end of a move out of L1 until the L0 half holds the operand.
int64_t move_a_latency(const Machine& machine, const GemmSpec& spec);
int64_t move_b_latency(const Machine& machine, const GemmSpec& spec);
int64_t move_a_latency(const Program& program);
int64_t move_b_latency(const Program& program);

}  // namespace nibblecore
