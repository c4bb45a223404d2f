// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "tests/fuzz/fuzz_reader.hpp"

namespace nibblecore {

Verdict fuzz_energy(std::string_view bytes);
Verdict fuzz_execution_trace(std::string_view bytes);
Verdict fuzz_filter(std::string_view bytes);
Verdict fuzz_gemm_csv(std::string_view bytes);
Verdict fuzz_journal(std::string_view bytes);
Verdict fuzz_kineto(std::string_view bytes);
Verdict fuzz_machine(std::string_view bytes);
Verdict fuzz_manifest(std::string_view bytes);
Verdict fuzz_model_config(std::string_view bytes);
Verdict fuzz_recipe(std::string_view bytes);
Verdict fuzz_safetensors(std::string_view bytes);
Verdict fuzz_scheme(std::string_view bytes);

}  // namespace nibblecore
