// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "model/common/name_pattern.hpp"
#include "model/import/import_options.hpp"
#include "model/trace/gemm_record.hpp"

namespace nibblecore {

/// The layers that ImportOptions::unquantized names.
class UnquantizedLayers {
 public:
  /// InputError where the regular expression is none.
  explicit UnquantizedLayers(const ImportOptions& options) {
    if (options.unquantized) {
      pattern_.emplace(*options.unquantized, "unquantized layers");
    }
  }

  /// Whether the record's layer is one of them.
  bool have(const GemmRecord& record) const { return pattern_ && pattern_->is_in(record.layer); }

 private:
  std::optional<NamePattern> pattern_;
};

}  // namespace nibblecore
