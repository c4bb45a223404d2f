// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "model/import/importers.hpp"
#include "tests/fuzz/fuzz_reader.hpp"

namespace nibblecore {

/// Imports the bytes under every way of merging records, and checks that each result is fit for a
/// manifest.
Verdict fuzz_import(std::string_view importer, std::string_view bytes);

}  // namespace nibblecore
