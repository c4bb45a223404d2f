// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "model/formats/residual.hpp"
#include "model/machine/machine_file.hpp"
#include "tb/sweep/grid.hpp"

namespace nibblecore::tb {

struct SweepOptions {
  std::filesystem::path input;  ///< a trace folder or a safetensors file
  std::string filter;           ///< of the trace's GEMMs, or a regular expression for names
  GridAxes axes;
  MachineFile machine;                                     ///< of a trace's cycles
  ResidualScope residual_scope = ResidualScope::kRollout;  ///< which GEMMs of a trace get residuals
  uint64_t seed = 1;                                       ///< of all random numbers
  int threads = 0;                                         ///< 0: one per processor
};

}  // namespace nibblecore::tb
