// SPDX-License-Identifier: Apache-2.0
#include "model/workload/workload_file.hpp"

#include <sstream>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "model/common/atomic_file.hpp"
#include "model/trace/manifest_writer.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;

json::object phase_json(const PhaseTotals& phase) {
  return {{"phase", phase.phase},
          {"tokens", phase.tokens},
          {"passes", phase.passes},
          {"rows", phase.rows},
          {"fprop_macs", phase.fprop_macs},
          {"dgrad_macs", phase.dgrad_macs},
          {"wgrad_macs", phase.wgrad_macs},
          {"records", phase.records},
          {"causal_attention_macs", phase.attention_macs}};
}

json::object field_json(const RecipeField& field) {
  return {{"value", json::parse(field.value)},
          {"confidence", confidence_record(field.confidence).name},
          {"source", field.source}};
}

/// One member a line, the last without a comma.
class Lines {
 public:
  explicit Lines(std::ostream& out) : out_(out) {}

  void add(const std::string& line) {
    out_ << (first_ ? "\n    " : ",\n    ") << line;
    first_ = false;
  }

 private:
  std::ostream& out_;
  bool first_ = true;
};

std::string member(const std::string& name, const json::value& value) {
  return json::serialize(json::string(name)) + ": " + json::serialize(value);
}

}  // namespace

std::string workload_text(const ModelFile& model, const RecipeFile& recipe, uint64_t seed,
                          const Workload& workload) {
  std::ostringstream out;
  out << "{\n  "
      << member("what", "shapes of the GEMMs of one step of reinforcement learning; no values")
      << ",\n  " << member("seed", seed) << ",\n  \"model\": {";
  Lines model_lines(out);
  model_lines.add(member("name", json::string(model.name)));
  model_lines.add(member("description", json::string(model.description)));
  model_lines.add(member("source", json::string(model.source)));
  model_lines.add(member("config", model.config.resolved()));
  model_lines.add(member("forward_macs_per_token", workload.forward_macs));
  out << "\n  },\n  \"recipe\": {\n  " << member("name", json::string(recipe.name)) << ",\n  "
      << member("description", json::string(recipe.description)) << ",\n  "
      << member("notes", json::array(recipe.notes.begin(), recipe.notes.end()))
      << ",\n  \"fields\": {";
  Lines field_lines(out);
  for (const RecipeField& field : recipe.fields) {
    field_lines.add(member(field.name, field_json(field)));
  }
  out << "\n  }},\n  "
      << member("ranks",
                json::object{{"rollout", workload.rollout_ranks}, {"train", workload.train_ranks}})
      << ",\n  \"phases\": [";
  Lines phase_lines(out);
  for (const PhaseTotals& phase : workload.phases) {
    phase_lines.add(json::serialize(phase_json(phase)));
  }
  out << "\n  ]\n}\n";
  return out.str();
}

void write_workload(const std::filesystem::path& folder, const ModelFile& model,
                    const RecipeFile& recipe, uint64_t seed, const Workload& workload) {
  write_manifest(folder, workload.records);
  AtomicFile file(folder / kWorkloadName);
  file.stream() << workload_text(model, recipe, seed, workload);
  file.commit();
}

}  // namespace nibblecore
