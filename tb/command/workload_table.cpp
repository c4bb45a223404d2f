// SPDX-License-Identifier: Apache-2.0
#include "tb/command/workload_table.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "model/machine/confidence.hpp"
#include "model/workload/linear_layers.hpp"
#include "model/workload/model_file.hpp"
#include "model/workload/recipe_file.hpp"
#include "tb/replay/text_table.hpp"

namespace nibblecore::tb {
namespace {

/// MACs of one row: an integer where every row has as many.
std::string per_row(int64_t macs, int64_t rows) {
  if (macs % rows == 0) {
    return grouped(macs / rows);
  }
  return fmt::format("about {}", grouped(macs / rows));
}

std::string phases(const Workload& workload) {
  TextTable table({"phase"},
                  {"tokens", "passes", "rows", "MAC fprop", "MAC dgrad", "MAC wgrad", "records"});
  for (const PhaseTotals& phase : workload.phases) {
    table.add_row({phase.phase, grouped(phase.tokens), grouped(phase.passes), grouped(phase.rows),
                   grouped(phase.fprop_macs), grouped(phase.dgrad_macs), grouped(phase.wgrad_macs),
                   grouped(phase.records)});
  }
  return table.text();
}

std::string macs_of_a_token(const Workload& workload) {
  std::string text =
      fmt::format("MAC a token, whole model: {} forward\n", grouped(workload.forward_macs));
  for (const PhaseTotals& phase : workload.phases) {
    if (phase.wgrad_macs > 0) {
      text += fmt::format("MAC a row of {} on one rank: {} fprop, {} fprop + dgrad + wgrad\n",
                          phase.phase, per_row(phase.fprop_macs, phase.rows),
                          per_row(phase.macs(), phase.rows));
    } else if (phase.phase == "train.recompute") {
      text += fmt::format("MAC a row of {}, apart from these: {}\n", phase.phase,
                          per_row(phase.macs(), phase.rows));
    }
  }
  return text;
}

std::string slicing_text(const Slicing& slicing) {
  return fmt::format("{} (tensor {}, data {}, experts {})", slicing.ranks(), slicing.tensor,
                     slicing.data, slicing.expert);
}

std::string left_out(const Recipe& recipe, const Workload& workload) {
  double attention = 0;
  double macs = 0;
  for (const PhaseTotals& phase : workload.phases) {
    attention += static_cast<double>(phase.attention_macs);
    macs += static_cast<double>(phase.macs());
  }
  std::string text;
  if (recipe.attention_multiple == 0) {
    text += fmt::format(
        "left out: attention's products of queries, keys and values: {:.4g} MAC (causal), "
        "{:.1f} % of the {:.4g} listed\n",
        attention, 100 * attention / macs, macs);
  }
  return text +
         "left out: embedding lookup, norms, rotary embedding, softmax, activations, sampling, "
         "optimizer, communication: no GEMMs\n";
}

}  // namespace

std::string workload_table(const Recipe& recipe, const Workload& workload) {
  std::set<std::tuple<int64_t, int64_t, int64_t>> shapes;
  for (const GemmRecord& record : workload.records) {
    shapes.insert({record.m, record.n, record.k});
  }
  return phases(workload) + macs_of_a_token(workload) +
         fmt::format("ranks: rollout {}, training {}; tokens and records are those of one rank\n",
                     slicing_text(recipe.rollout), slicing_text(recipe.train)) +
         fmt::format("records: {}, different M, N, K: {}\n",
                     grouped(static_cast<int64_t>(workload.records.size())),
                     grouped(static_cast<int64_t>(shapes.size()))) +
         left_out(recipe, workload);
}

std::string model_table() {
  TextTable table({"model", "type"}, {"hidden", "MLP", "layers", "heads", "kv heads", "head dim",
                                      "vocabulary", "experts", "of", "width", "MAC a token"});
  std::string sources;
  for (const ModelFile& file : built_in_models()) {
    const ModelConfig& model = file.config;
    table.add_row({file.name, model.type, grouped(model.hidden), grouped(model.intermediate),
                   grouped(model.layers), grouped(model.heads), grouped(model.kv_heads),
                   grouped(model.head_dim), grouped(model.vocabulary),
                   grouped(model.experts_per_token), grouped(model.experts),
                   grouped(model.expert_width), grouped(forward_macs(model))});
    sources += fmt::format("{}: {}; {}\n", file.name, file.description, file.source);
  }
  return table.text() + sources;
}

std::string recipe_table() {
  std::string text;
  for (const RecipeFile& file : built_in_recipes()) {
    text += fmt::format("{}: {}\n", file.name, file.description);
    TextTable table({"field", "value", "mark", "source"});
    for (const RecipeField& field : file.fields) {
      table.add_row({field.name, field.value, std::string(confidence_record(field.confidence).name),
                     field.source});
    }
    text += table.text();
    for (const std::string& note : file.notes) {
      text += "note: " + note + "\n";
    }
    text += "\n";
  }
  return text + "marks: P published; S second-hand; A assumed\n";
}

}  // namespace nibblecore::tb
