// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/machine/program.hpp"
#include "tb/stimulus/constraints.hpp"
#include "tb/stimulus/dice.hpp"

namespace nibblecore::tb {

/// A machine whose buffers hold everything, a GEMM, and a tiling that it can run by.
struct Schedule {
  Machine machine;
  GemmSpec spec;
  Tiling tiling;

  Program program() const { return Program(machine, spec, tiling); }
  std::string text() const;
};

/// Any format, operand path, residual, loop order, rate and latency that the constraints allow.
Schedule random_schedule(Dice& dice, const StimulusConstraints& constraints);

}  // namespace nibblecore::tb
