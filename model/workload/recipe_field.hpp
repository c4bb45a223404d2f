// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "model/common/json_node.hpp"
#include "model/workload/recipe.hpp"

namespace nibblecore {

/// One field of a recipe file.
struct RecipeFieldRecord {
  std::string_view name;
  std::string_view fallback;  ///< JSON, what a recipe has that leaves the field out; empty: needed
  /// Reads the field's value; InputError naming place and field where it is of another type or out
  /// of range.
  void (*read)(const JsonNode& value, Recipe& recipe);
};

inline constexpr int kRecipeFieldCount = 32;

/// Every field, in the order of recipe files.
const std::array<RecipeFieldRecord, kRecipeFieldCount>& recipe_fields();

/// What no field shows alone: throws where fields of the recipe don't fit each other. `fields`
/// holds the value of each field.
void check_recipe(const Recipe& recipe, const JsonNode& fields);

}  // namespace nibblecore
