// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/import/imported_trace.hpp"

namespace nibblecore::tb {

/// What an import took and what it skipped, a line a figure, as docs/import.md describes: numbers
/// of operators, then of records. Scripts may read it.
std::string import_summary(const ImportedTrace& trace);

}  // namespace nibblecore::tb
