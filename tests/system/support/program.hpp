// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nibblecore {

/// What a finished child process left behind.
struct ProgramRun {
  int exit_code = 0;  ///< minus the signal's number where a signal ended it
  std::string out;
  std::string err;
  int64_t peak_bytes = 0;  ///< most memory that it had resident, mapped files included
};

using Arguments = std::vector<std::string>;

/// Runs the program under test with `arguments` and waits for its end.
ProgramRun run_program(const Arguments& arguments);

/// Runs it through `command` of the shell, in which "$@" is the program with its arguments.
ProgramRun run_program_through(const std::string& command, const Arguments& arguments);

/// A shell command under which no file grows beyond `blocks` of 512 bytes: with the signal ignored,
/// a write beyond fails as it does where the disk is full.
inline std::string on_full_disk(int blocks) {
  return "trap '' XFSZ; ulimit -f " + std::to_string(blocks) + R"(; exec "$@")";
}

}  // namespace nibblecore
