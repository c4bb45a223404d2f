// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "model/import/importers.hpp"
#include "model/trace/manifest_writer.hpp"

namespace nibblecore {

/// A file of tests/data/import.
inline std::string import_data(const std::string& name) {
  return std::string(NIBBLECORE_TEST_DATA) + "/import/" + name;
}

/// Options that leave every operator a record of its own.
inline ImportOptions unmerged() {
  ImportOptions options;
  options.merge = Merge::kNone;
  return options;
}

/// Imports text under the name "f".
template <typename Import>
ImportedTrace import_text(const Import& import, const std::string& text,
                          const ImportOptions& options = unmerged()) {
  std::istringstream stream(text);
  return import(stream, "f", options);
}

/// What tells records apart at a glance: "train/linear.0 fprop 4x5x6 01".
inline std::string brief(const GemmRecord& record) {
  std::string text = record.phase + "/" + record.layer + " " + std::string(name_of(record.kind)) +
                     " " + std::to_string(record.m) + "x" + std::to_string(record.n) + "x" +
                     std::to_string(record.k) + " ";
  text += record.transpose_a == Transpose::kYes ? '1' : '0';
  text += record.transpose_b == Transpose::kYes ? '1' : '0';
  return text;
}

inline std::vector<std::string> briefs(const ImportedTrace& trace) {
  std::vector<std::string> texts;
  for (const GemmRecord& record : trace.records) {
    texts.push_back(brief(record));
  }
  return texts;
}

}  // namespace nibblecore
