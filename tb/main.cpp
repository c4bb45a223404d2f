// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include <CLI/CLI.hpp>
#include <systemc>

#include "model/common/error.hpp"
#include "tb/command/commands.hpp"
#include "tb/version.hpp"

namespace {

using namespace nibblecore;      // NOLINT(google-build-using-namespace): the program's own file
using namespace nibblecore::tb;  // NOLINT(google-build-using-namespace)

int run(int argc, char** argv) {
  int exit_code = kExitEqual;
  CLI::App app("Nibblecore: 4-bit tensor cores, bit for bit and cycle for cycle", "nibblecore");
  app.set_version_flag("--version", kVersion);
  // A word that is no subcommand is then reported as such, rather than as a missing one.
  app.require_subcommand(0, 1);
  add_quantize_command(app, exit_code);
  add_mma_command(app, exit_code);
  add_replay_command(app, exit_code);
  add_cover_command(app, exit_code);
  add_faults_command(app, exit_code);
  add_list_command(app, exit_code);
  for (CLI::App* command : app.get_subcommands({})) {
    command->set_version_flag("--version", kVersion);
  }
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      throw InputError("command line", "a subcommand is required (--help lists them)");
    }
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitEqual : kExitBadInput;
  }
  return exit_code;
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
