// SPDX-License-Identifier: Apache-2.0
#include <boost/json/serialize.hpp>

#include "model/workload/model_config.hpp"
#include "tests/fuzz/readers.hpp"

namespace nibblecore {

Verdict fuzz_model_config(std::string_view bytes) {
  ModelConfig model;
  if (!accepts([&] { model = parse_model_config(bytes, "config.json"); })) {
    return Verdict::kRefused;
  }
  require(static_cast<int64_t>(model.has_experts.size()) == model.layers,
          "every layer has experts or not");
  const std::string written = boost::json::serialize(model.resolved());
  const ModelConfig again = parse_model_config(written, "config.json as resolved");
  require(boost::json::serialize(again.resolved()) == written,
          "resolving it twice changes nothing");
  return Verdict::kAccepted;
}

}  // namespace nibblecore
