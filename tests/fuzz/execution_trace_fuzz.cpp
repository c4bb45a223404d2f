// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/import_fuzz.hpp"
#include "tests/fuzz/readers.hpp"

namespace nibblecore {

Verdict fuzz_execution_trace(std::string_view bytes) { return fuzz_import("et", bytes); }

}  // namespace nibblecore
