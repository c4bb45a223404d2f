// SPDX-License-Identifier: Apache-2.0
#include "model/trace/manifest.hpp"
#include "tests/fuzz/manifest_round_trip.hpp"
#include "tests/fuzz/readers.hpp"

namespace nibblecore {

Verdict fuzz_manifest(std::string_view bytes) {
  std::vector<GemmRecord> records;
  if (!accepts([&] { records = parse_manifest(bytes, "manifest"); })) {
    return Verdict::kRefused;
  }
  require_manifest_round_trip(records);
  return Verdict::kAccepted;
}

}  // namespace nibblecore
