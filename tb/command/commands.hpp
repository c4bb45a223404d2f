// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace nibblecore::tb {

/// What the program ends with.
enum ExitCode : int {
  kExitEqual = 0,     ///< done, and all compared bits equal
  kExitMismatch = 1,  ///< a compared bit differs
  kExitBadInput = 2,  ///< bad usage or bad input
  kExitInternal = 3,  ///< a promise of the program itself is broken
};

// Each adds its subcommand to `app`. Parsing the command line runs it; it leaves its result in
// `exit_code` or throws.
void add_quantize_command(CLI::App& app, int& exit_code);
void add_mma_command(CLI::App& app, int& exit_code);
void add_replay_command(CLI::App& app, int& exit_code);
void add_list_command(CLI::App& app, int& exit_code);
void add_cover_command(CLI::App& app, int& exit_code);
void add_faults_command(CLI::App& app, int& exit_code);

}  // namespace nibblecore::tb
