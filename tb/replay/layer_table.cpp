// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/layer_table.hpp"

#include <cmath>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "tb/replay/report_text.hpp"
#include "tb/replay/text_table.hpp"

namespace nibblecore::tb {
namespace {

namespace json = boost::json;

std::string four(const std::optional<double>& value) {
  return value ? fmt::format("{:.4f}", *value) : "-";
}

std::string product(const FactorChain& chain) {
  return chain.layers == 0 ? "-" : fmt::format("{:.4g}", chain.product());
}

std::string chains_table(const std::vector<GainChains>& chains) {
  TextTable table({"phase", "gemm"},
                  {"layers", "A gamma", "A gain", "B gamma", "B gain", "output gain"});
  for (const GainChains& chain : chains) {
    table.add_row({chain.phase, std::string(name_of(chain.kind)), grouped(chain.output_gain.layers),
                   product(chain.a_gamma), product(chain.a_gain), product(chain.b_gamma),
                   product(chain.b_gain), product(chain.output_gain)});
  }
  return "products over layers of mean gamma (block scale over ideal scale; arXiv 2605.20402 takes "
         "it for a gain) and of the gains <Q,x>/<x,x> measured\n" +
         table.text() + "\n";
}

std::string mismatch_table(const std::vector<PhaseMismatch>& mismatches) {
  TextTable table({"layer", "rollout as", "against"},
                  {"outputs", "differing", "difference dB", "gain", "cosine"});
  for (const PhaseMismatch& mismatch : mismatches) {
    const auto relative = mismatch.relative();
    table.add_row(
        {mismatch.layer, mismatch.rollout_phase, mismatch.training_phase, grouped(mismatch.outputs),
         grouped(mismatch.differing),
         relative && *relative > 0 ? fmt::format("{:.2f}", 10 * std::log10(*relative)) : "-",
         four(mismatch.agreement.gain()), four(mismatch.agreement.cosine())});
  }
  return "the same layer and operands as rollout and training treat them\n" + table.text() + "\n";
}

std::string heads_table(const std::vector<HeadTemperature>& heads) {
  TextTable table({"phase", "head"},
                  {"rows", "noise variance", "logit variance", "effective temperature"});
  for (const HeadTemperature& head : heads) {
    const auto temperature = head.temperature();
    table.add_row({head.phase, head.layer, grouped(head.rows),
                   fmt::format("{:.4g}", head.noise_variance),
                   fmt::format("{:.4g}", head.logit_variance),
                   temperature ? fmt::format("{:.6f}", *temperature) : "-"});
  }
  return "effective temperature of logits (arXiv 2605.20402, eq. 5)\n" + table.text() + "\n";
}

json::object chain_json(const FactorChain& chain) {
  return {{"layers", chain.layers},
          {"log2_product", rounded(chain.log2_product)},
          {"product",
           chain.layers == 0 ? json::value(nullptr) : json::value(rounded(chain.product()))}};
}

json::array chains_json(const std::vector<GainChains>& chains) {
  json::array list;
  for (const GainChains& chain : chains) {
    list.push_back({{"phase", chain.phase},
                    {"gemm", name_of(chain.kind)},
                    {"a_gamma", chain_json(chain.a_gamma)},
                    {"a_gain", chain_json(chain.a_gain)},
                    {"b_gamma", chain_json(chain.b_gamma)},
                    {"b_gain", chain_json(chain.b_gain)},
                    {"output_gain", chain_json(chain.output_gain)}});
  }
  return list;
}

json::array mismatches_json(const std::vector<PhaseMismatch>& mismatches) {
  json::array list;
  for (const PhaseMismatch& mismatch : mismatches) {
    list.push_back({{"layer", mismatch.layer},
                    {"rollout_phase", mismatch.rollout_phase},
                    {"training_phase", mismatch.training_phase},
                    {"outputs", mismatch.outputs},
                    {"differing", mismatch.differing},
                    {"relative_difference", rounded(mismatch.relative())},
                    {"gain", rounded(mismatch.agreement.gain())},
                    {"cosine", rounded(mismatch.agreement.cosine())}});
  }
  return list;
}

json::array heads_json(const std::vector<HeadTemperature>& heads) {
  json::array list;
  for (const HeadTemperature& head : heads) {
    list.push_back({{"phase", head.phase},
                    {"layer", head.layer},
                    {"rows", head.rows},
                    {"noise_variance", rounded(head.noise_variance)},
                    {"logit_variance", rounded(head.logit_variance)},
                    {"temperature", rounded(head.temperature())}});
  }
  return list;
}

}  // namespace

std::string layer_tables(const LayerReport& report) {
  std::string text;
  if (!report.chains.empty()) {
    text += chains_table(report.chains);
  }
  if (!report.mismatches.empty()) {
    text += mismatch_table(report.mismatches);
  }
  if (!report.heads.empty()) {
    text += heads_table(report.heads);
  }
  return text;
}

json::object layer_report_json(const LayerReport& report) {
  return {{"gains", chains_json(report.chains)},
          {"rollout_against_training", mismatches_json(report.mismatches)},
          {"heads", heads_json(report.heads)}};
}

}  // namespace nibblecore::tb
