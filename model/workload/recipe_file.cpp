// SPDX-License-Identifier: Apache-2.0
#include "model/workload/recipe_file.hpp"

#include <algorithm>
#include <optional>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "model/common/json_node.hpp"
#include "model/common/named_file.hpp"
#include "model/common/strict_json.hpp"
#include "model/workload/recipe_field.hpp"
#include "model/workload/recipe_texts.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;

enum class Base { kNone, kBuiltIn };

std::vector<std::string_view> field_names() {
  std::vector<std::string_view> names;
  for (const RecipeFieldRecord& record : recipe_fields()) {
    names.push_back(record.name);
  }
  return names;
}

/// The fields of the recipe that this one changes; those of none where it has no base.
std::vector<RecipeField> base_fields(const JsonNode& root, Base allowed) {
  const std::optional<JsonNode> base = root.find("base");
  if (!base) {
    return {};
  }
  if (allowed == Base::kNone) {
    base->fail("is not for built-in recipes");
  }
  return base->choice(built_in_recipes()).fields;
}

/// A field as a file has it: its value, or an object of value, confidence and source.
RecipeField read_field(const RecipeFieldRecord& record, const JsonNode& node) {
  RecipeField field;
  field.name = record.name;
  if (!node.value().is_object() || !node.find("value")) {
    field.value = json::serialize(node.value());
    field.source = "the recipe file, which gives no source";
    return field;
  }
  node.require_keys({"value", "confidence", "source"});
  field.value = json::serialize(node["value"].value());
  field.confidence = node["confidence"].choice(kConfidences).confidence;
  field.source = node["source"].text();
  return field;
}

RecipeField resolve(const RecipeFieldRecord& record, const JsonNode& fields,
                    const std::vector<RecipeField>& base) {
  if (const auto node = fields.find(record.name)) {
    return read_field(record, *node);
  }
  const auto inherited = std::find_if(base.begin(), base.end(), [&](const RecipeField& field) {
    return field.name == record.name;
  });
  if (inherited != base.end()) {
    return *inherited;
  }
  if (record.fallback.empty()) {
    fields.require_keys({record.name}, field_names());
  }
  return {std::string(record.name), std::string(record.fallback), Confidence::kAssumed,
          "what a recipe has that leaves it out"};
}

/// The fields' values alone, as one document: errors name them as the file does.
json::object values_of(const std::vector<RecipeField>& fields) {
  json::object values;
  for (const RecipeField& field : fields) {
    values[field.name] = json::parse(field.value);
  }
  return values;
}

RecipeFile parse(std::string_view text, const std::string& place, Base allowed) {
  const json::value document = parse_strict_json(text, place, 0);
  const JsonNode root(document, place);
  root.require_keys({"name", "description", "fields"}, {"base", "notes"});
  RecipeFile file;
  file.name = root["name"].name();
  file.description = root["description"].text();
  if (const auto notes = root.find("notes")) {
    file.notes = notes->texts();
  }
  const std::vector<RecipeField> base = base_fields(root, allowed);
  root["fields"].require_keys({}, field_names());
  for (const RecipeFieldRecord& record : recipe_fields()) {
    file.fields.push_back(resolve(record, root["fields"], base));
  }
  const json::value values = values_of(file.fields);
  const JsonNode resolved(values, place, "fields");
  for (const RecipeFieldRecord& record : recipe_fields()) {
    record.read(resolved[record.name], file.recipe);
  }
  check_recipe(file.recipe, resolved);
  return file;
}

std::vector<RecipeFile> parse_built_in() {
  std::vector<RecipeFile> recipes;
  for (const EmbeddedText& file : recipe_texts()) {
    recipes.push_back(parse(file.text, "built-in recipe " + std::string(file.name), Base::kNone));
  }
  return recipes;
}

}  // namespace

RecipeFile parse_recipe(std::string_view text, const std::string& place) {
  return parse(text, place, Base::kBuiltIn);
}

const std::vector<RecipeFile>& built_in_recipes() {
  static const std::vector<RecipeFile> recipes = parse_built_in();
  return recipes;
}

RecipeFile load_recipe(std::string_view name_or_path) {
  return load_named(
      NamedFileKind{"--recipe", "recipe", "a recipe file"}, built_in_recipes(), name_or_path,
      [](const RecipeFile& known) -> std::string_view { return known.name; }, parse_recipe);
}

}  // namespace nibblecore
