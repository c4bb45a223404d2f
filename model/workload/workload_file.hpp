// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "model/workload/model_file.hpp"
#include "model/workload/recipe_file.hpp"
#include "model/workload/workload.hpp"

namespace nibblecore {

/// Name of the file beside the manifest that says what a workload's trace is.
inline constexpr const char* kWorkloadName = "workload.json";

/// The text of `workload.json`: model, recipe with the source of every field, seed, ranks and the
/// totals of each phase; equal arguments give equal bytes.
std::string workload_text(const ModelFile& model, const RecipeFile& recipe, uint64_t seed,
                          const Workload& workload);

/// Writes the trace folder: `gemms.jsonl` and `workload.json`, each whole or not at all; makes the
/// folder where it is missing. InputError where it can't be written.
void write_workload(const std::filesystem::path& folder, const ModelFile& model,
                    const RecipeFile& recipe, uint64_t seed, const Workload& workload);

}  // namespace nibblecore
