// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include "model/common/atomic_file.hpp"

namespace nibblecore::tb {

/// The CSV and the JSON file of a run, as far as they were asked for. They are opened ahead of the
/// work, which would be lost where they can't be.
class OutputFiles {
 public:
  /// Paths, empty for none; InputError where both are the same or one can't be opened.
  OutputFiles(const std::string& csv, const std::string& json);

  /// Writes those that were asked for. Both are whole before the first is put in place.
  void write(const std::function<void(std::ostream&)>& write_csv,
             const std::function<void(std::ostream&)>& write_json);

 private:
  std::optional<AtomicFile> csv_;
  std::optional<AtomicFile> json_;
};

}  // namespace nibblecore::tb
