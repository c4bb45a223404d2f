// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "model/machine/program.hpp"

namespace nibblecore {

/// A machine with buffers that hold everything, a GEMM and a tiling that Program takes.
struct RandomProgram {
  Machine machine;
  GemmSpec spec;
  Tiling tiling;

  Program program() const { return Program(machine, spec, tiling); }
  std::string text() const;
};

/// Extents of random GEMMs, in tiles and steps.
struct RandomExtents {
  int64_t tiles;
  int64_t steps;
};

/// Any format, operand path, residual, order, rate and latency that is legal, uniformly enough.
RandomProgram random_program(std::mt19937& random, const RandomExtents& extents);

/// The machine with buffers of exactly the size that the tiling takes.
Machine exactly_full(const RandomProgram& random);

/// A machine of one 16 x 16 x 64 core of round numbers, and buffers that hold everything.
Machine round_machine();

}  // namespace nibblecore
