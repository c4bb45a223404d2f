// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include <systemc>

#include "model/common/error.hpp"
#include "tb/command/commands.hpp"
#include "tb/version.hpp"

namespace {

using namespace nibblecore;      // NOLINT(google-build-using-namespace): the program's own file
using namespace nibblecore::tb;  // NOLINT(google-build-using-namespace)

int run(int argc, char** argv) {
  CommandLine line("Nibblecore: 4-bit tensor cores, bit for bit and cycle for cycle", "nibblecore",
                   kVersion);
  add_quantize_command(line);
  add_decompose_command(line);
  add_mma_command(line);
  add_replay_command(line);
  add_sweep_command(line);
  add_cover_command(line);
  add_faults_command(line);
  add_claims_command(line);
  add_workload_command(line);
  add_import_command(line);
  add_list_command(line);
  return line.run(argc, argv);
}

int report(const char* what, int exit_code) {
  // Not fmt::print, which throws where standard error is full: the exit code must come through.
  std::fprintf(stderr, "nibblecore: %s\n", what);
  return exit_code;
}

/// Output that never arrived is an error, not a success.
void require_written() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw InputError("standard output", "cannot write all of it");
  }
}

}  // namespace

int sc_main(int argc, char** argv) {
  // The kernel's remarks would stand in the middle of the tables.
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  try {
    const int exit_code = run(argc, argv);
    require_written();
    return exit_code;
  } catch (const InputError& error) {
    return report(error.what(), kExitBadInput);
  } catch (const std::bad_alloc&) {
    return report("not enough memory for an input of this size", kExitBadInput);
  } catch (const std::exception& error) {
    return report(error.what(), kExitInternal);
  }
}

// SystemC's own main prints its banner, which does not belong into a tool's output.
int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
