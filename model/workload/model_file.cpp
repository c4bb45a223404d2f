// SPDX-License-Identifier: Apache-2.0
#include "model/workload/model_file.hpp"

#include "model/common/named_file.hpp"
#include "model/common/strict_json.hpp"
#include "model/workload/model_texts.hpp"

namespace nibblecore {
namespace {

std::vector<ModelFile> parse_built_in() {
  std::vector<ModelFile> models;
  for (const EmbeddedText& file : model_texts()) {
    const std::string place = "built-in model " + std::string(file.name);
    const boost::json::value document = parse_strict_json(file.text, place, 0);
    const JsonNode root(document, place);
    root.require_keys({"description", "source", "config"});
    models.push_back({std::string(file.name), root["description"].text(), root["source"].text(),
                      read_model_config(root["config"])});
  }
  return models;
}

}  // namespace

const std::vector<ModelFile>& built_in_models() {
  static const std::vector<ModelFile> models = parse_built_in();
  return models;
}

ModelFile load_model(std::string_view name_or_path) {
  return load_named(
      NamedFileKind{"--model", "model", "a config.json"}, built_in_models(), name_or_path,
      [](const ModelFile& known) -> std::string_view { return known.name; },
      [](const std::string& text, const std::string& path) {
        return ModelFile{path, "read from a file", path, parse_model_config(text, path)};
      });
}

}  // namespace nibblecore
