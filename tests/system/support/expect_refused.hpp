// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/system/support/program.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {

/// Runs the program and expects what every refusal must be: exit code 2, nothing on standard
/// output, on standard error a message that holds all of `fragments` and nothing of a crash, and in
/// `folder` not one entry more than before.
void expect_refused(const TemporaryFolder& folder, const Arguments& arguments,
                    const std::vector<std::string>& fragments);

/// Expects that of a run that is over; `before` are the entries of `folder` before it.
void expect_refusal(const ProgramRun& run, const TemporaryFolder& folder,
                    const std::vector<std::string>& before,
                    const std::vector<std::string>& fragments);

}  // namespace nibblecore
