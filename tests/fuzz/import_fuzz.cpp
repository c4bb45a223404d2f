// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/import_fuzz.hpp"

#include <sstream>
#include <string>

#include "tests/fuzz/manifest_round_trip.hpp"

namespace nibblecore {
namespace {

Verdict import(const Importer& importer, const std::string& bytes, const ImportOptions& options) {
  std::istringstream stream(bytes);
  ImportedTrace trace;
  if (!accepts([&] { trace = importer.read(stream, "file", options); })) {
    return Verdict::kRefused;
  }
  require(!trace.records.empty(), "there is a record");
  for (size_t i = 0; i < trace.records.size(); ++i) {
    require(trace.records[i].id == static_cast<int64_t>(i), "ids count from 0");
    require(!trace.records[i].has_operands(), "records are shapes only");
  }
  require_manifest_round_trip(trace.records);
  return Verdict::kAccepted;
}

}  // namespace

Verdict fuzz_import(std::string_view importer, std::string_view bytes) {
  ImportOptions options;
  options.unquantized = "head|router";
  Verdict verdict = Verdict::kRefused;
  for (const auto& [merge, name] : kMerges) {
    options.merge = merge;
    verdict = import(find_importer(importer, "--format"), std::string(bytes), options);
  }
  return verdict;
}

}  // namespace nibblecore
