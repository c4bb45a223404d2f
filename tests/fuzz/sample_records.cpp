// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/sample_records.hpp"

#include <string>
#include <utility>

#include "model/trace/manifest.hpp"

namespace nibblecore {
namespace {

GemmRecord record(GemmKind kind, std::string phase, std::string layer) {
  GemmRecord result;
  result.kind = kind;
  result.phase = std::move(phase);
  result.layer = std::move(layer);
  return result;
}

}  // namespace

const std::vector<GemmRecord>& sample_records() {
  static const std::vector<GemmRecord> records{
      record(GemmKind::kFprop, "rollout.decode0", "layers.17.mlp.up_proj"),
      record(GemmKind::kWgrad, "train", "model.layers.3.mlp.experts.12.gate_proj"),
      record(GemmKind::kDgrad, "train", std::string(kLongestName, 'x')),
  };
  return records;
}

}  // namespace nibblecore
