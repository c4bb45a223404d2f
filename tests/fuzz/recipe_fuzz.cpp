// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <boost/json/parse.hpp>

#include "model/workload/recipe_field.hpp"
#include "model/workload/recipe_file.hpp"
#include "tests/fuzz/readers.hpp"

namespace nibblecore {
namespace {

bool same_value(const RecipeField& left, const RecipeField& right) {
  return boost::json::parse(left.value) == boost::json::parse(right.value);
}

// A recipe file of the fields as they were resolved.
std::string resolved(const RecipeFile& file) {
  std::string fields;
  for (const RecipeField& field : file.fields) {
    fields += (fields.empty() ? "" : ",") + ("\"" + field.name + "\":" + field.value);
  }
  return R"({"name":")" + file.name + R"(","description":"resolved","fields":{)" + fields + "}}";
}

}  // namespace

Verdict fuzz_recipe(std::string_view bytes) {
  RecipeFile file;
  if (!accepts([&] { file = parse_recipe(bytes, "recipe"); })) {
    return Verdict::kRefused;
  }
  require(file.fields.size() == recipe_fields().size(), "every field has a value");
  const RecipeFile again = parse_recipe(resolved(file), "recipe as resolved");
  require(std::equal(again.fields.begin(), again.fields.end(), file.fields.begin(),
                     file.fields.end(), same_value),
          "resolving it twice changes nothing");
  return Verdict::kAccepted;
}

}  // namespace nibblecore
