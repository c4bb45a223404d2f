// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tb/command/command_line.hpp"
#include "tb/command/exit_code.hpp"

namespace nibblecore::tb {

// Each adds its subcommand to the command line.
void add_quantize_command(CommandLine& line);
void add_decompose_command(CommandLine& line);
void add_mma_command(CommandLine& line);
void add_replay_command(CommandLine& line);
void add_sweep_command(CommandLine& line);
void add_import_command(CommandLine& line);
void add_list_command(CommandLine& line);
void add_claims_command(CommandLine& line);
void add_cover_command(CommandLine& line);
void add_faults_command(CommandLine& line);
void add_workload_command(CommandLine& line);

}  // namespace nibblecore::tb
