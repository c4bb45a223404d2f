// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "model/workload/model_file.hpp"
#include "model/workload/recipe_file.hpp"
#include "model/workload/workload.hpp"
#include "model/workload/workload_file.hpp"
#include "tb/command/commands.hpp"
#include "tb/command/workload_table.hpp"
#include "tb/replay/text_table.hpp"

namespace nibblecore::tb {
namespace {

struct CommandOptions {
  std::string model;
  std::string recipe;
  std::string output;
  uint64_t seed = 1;
};

int run(const CommandOptions& options) {
  const ModelFile model = load_model(options.model);
  const RecipeFile recipe = load_recipe(options.recipe);
  const Workload workload = make_workload(model.config, recipe.recipe, options.seed);
  write_workload(options.output, model, recipe, options.seed, workload);
  fmt::print("{}, recipe {}, seed {}: one step of {} prompts with {} responses each, in {}\n",
             model.name, recipe.name, options.seed, grouped(recipe.recipe.prompts),
             grouped(recipe.recipe.samples), options.output);
  for (const std::string& note : recipe.notes) {
    fmt::print("note: {}\n", note);
  }
  fmt::print("\n{}", workload_table(recipe.recipe, workload));
  return kExitEqual;
}

}  // namespace

void add_workload_command(CommandLine& line) {
  auto options = std::make_shared<CommandOptions>();
  Arguments arguments = line.add_command(
      "workload", "Write the GEMMs of one step of reinforcement learning as a shape-only trace",
      [options] { return run(*options); });
  arguments.required("--model", options->model,
                     "a model of `list models`, or a Hugging Face config.json");
  arguments.required("--recipe", options->recipe, "a recipe of `list recipes`, or a recipe file");
  arguments.required("-o,--output", options->output, "trace folder to write");
  arguments.option("--seed", options->seed, "of lengths and expert shares");
}

}  // namespace nibblecore::tb
