// SPDX-License-Identifier: Apache-2.0
#include "model/machine/tiler.hpp"

#include "model/machine/program_search.hpp"

namespace nibblecore {

Program choose_program(const Machine& machine, const GemmSpec& spec, const TilingChoice& choice) {
  if (choice.tiling) {
    return Program(machine, spec, *choice.tiling);
  }
  ProgramSearch search(machine, spec, choice);
  return search.fastest(spec.m, spec.n)->program;
}

}  // namespace nibblecore
