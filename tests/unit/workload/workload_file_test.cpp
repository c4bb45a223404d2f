// SPDX-License-Identifier: Apache-2.0
#include "model/workload/workload_file.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/trace/manifest.hpp"
#include "tests/unit/trace/temporary_folder.hpp"
#include "tests/unit/workload/small_workload.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;
using testing::ElementsAre;

struct Written {
  ModelFile model = load_model("qwen3-30b-a3b");
  RecipeFile recipe = load_recipe("gsm8k");
  Workload workload = make_workload(model.config, recipe.recipe, 7);
};

TEST(WorkloadFile, SaysWhatTheTraceIs) {
  const Written written;
  const std::string text = workload_text(written.model, written.recipe, 7, written.workload);
  EXPECT_EQ(text, workload_text(written.model, written.recipe, 7, written.workload));
  const json::value document = json::parse(text);
  EXPECT_EQ(document.at("seed").to_number<int64_t>(), 7);
  EXPECT_EQ(document.at("model").at("name"), "qwen3-30b-a3b");
  EXPECT_EQ(document.at("model").at("config"), json::value(written.model.config.resolved()));
  EXPECT_EQ(document.at("model").at("forward_macs_per_token").to_number<int64_t>(), 3'041'656'832);
  const json::object& fields = document.at("recipe").at("fields").as_object();
  ASSERT_EQ(fields.size(), written.recipe.fields.size());
  EXPECT_EQ(fields.at("prompts").at("value").to_number<int64_t>(), 1024);
  EXPECT_EQ(fields.at("prompts").at("confidence"), "P");
  EXPECT_EQ(document.at("recipe").at("notes").as_array().size(), written.recipe.notes.size());
  const json::array& phases = document.at("phases").as_array();
  ASSERT_EQ(phases.size(), written.workload.phases.size());
  EXPECT_EQ(phases.front().at("phase"), "rollout.prefill");
  EXPECT_EQ(phases.back().at("fprop_macs").to_number<int64_t>(),
            written.workload.phases.back().fprop_macs);
}

// What the file says of a recipe is enough to make it again.
TEST(WorkloadFile, FieldsAreARecipeAgain) {
  const Written written;
  const json::value document =
      json::parse(workload_text(written.model, written.recipe, 7, written.workload));
  const json::object recipe{{"name", "again"},
                            {"description", "from workload.json"},
                            {"fields", document.at("recipe").at("fields")}};
  const Workload again =
      make_workload(written.model.config, parse_recipe(json::serialize(recipe), "again").recipe, 7);
  EXPECT_EQ(shown(again, ""), shown(written.workload, ""));
}

TEST(WorkloadFile, TheTraceReadsBack) {
  const Written written;
  const TemporaryFolder folder;
  write_workload(folder.path() / "made" / "here", written.model, written.recipe, 7,
                 written.workload);
  Workload read;
  read.records = read_manifest(folder.path() / "made" / "here");
  EXPECT_EQ(shown(read, ""), shown(written.workload, ""));
  EXPECT_EQ(read_bytes(folder.path() / "made" / "here" / kWorkloadName),
            workload_text(written.model, written.recipe, 7, written.workload));
}

TEST(WorkloadFile, RefusesAFolderThatIsAFile) {
  const Written written;
  const TemporaryFolder folder;
  const auto path = folder.write("taken", "text");
  EXPECT_NE(input_error(
                [&] { write_workload(path, written.model, written.recipe, 7, written.workload); }),
            "");
  EXPECT_THAT(folder.entries(), ElementsAre("taken"));
}

}  // namespace
}  // namespace nibblecore
