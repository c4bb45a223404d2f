// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/import_fuzz.hpp"
#include "tests/fuzz/readers.hpp"

namespace nibblecore {

Verdict fuzz_gemm_csv(std::string_view bytes) { return fuzz_import("csv", bytes); }

}  // namespace nibblecore
