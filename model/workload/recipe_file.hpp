// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/machine/confidence.hpp"
#include "model/workload/recipe.hpp"

namespace nibblecore {

/// One field of a recipe as it is used, with where it is from.
struct RecipeField {
  std::string name;
  std::string value;  ///< JSON
  Confidence confidence = Confidence::kAssumed;
  std::string source;
};

/// A recipe with the provenance of its fields (docs/workloads.md describes the file).
struct RecipeFile {
  Recipe recipe;
  std::string name;
  std::string description;
  std::vector<std::string> notes;
  std::vector<RecipeField> fields;  ///< every field, in the order of recipe_fields()
};

/// Reads a recipe file's text. InputError naming `place`, the offset or field, and the reason: a
/// field that is missing, unknown, twice there, of a wrong type or out of range, an unknown base,
/// fields that do not fit each other.
RecipeFile parse_recipe(std::string_view text, const std::string& place);

/// The recipes that come with the program.
const std::vector<RecipeFile>& built_in_recipes();

/// The built-in recipe of this name, else the recipe file at this path; InputError naming the
/// built-in ones where it is neither.
RecipeFile load_recipe(std::string_view name_or_path);

}  // namespace nibblecore
