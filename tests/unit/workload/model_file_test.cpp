// SPDX-License-Identifier: Apache-2.0
#include "model/workload/model_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(ModelFileTest, BuiltInModelsHaveSources) {
  ASSERT_EQ(built_in_models().size(), 3U);
  for (const ModelFile& model : built_in_models()) {
    EXPECT_THAT(model.source, StartsWith("https://huggingface.co/Qwen/"));
    EXPECT_EQ(load_model(model.name).config.resolved(), model.config.resolved());
  }
  EXPECT_TRUE(load_model("qwen2.5-3b").config.tied_head);
  EXPECT_EQ(load_model("qwen3-30b-a3b").config.expert_layer_count(), 48);
}

TEST(ModelFileTest, ReadsAConfigOrSaysWhatItKnows) {
  const TemporaryFolder folder;
  const auto path = folder.write(
      "config.json", R"({"model_type": "llama", "hidden_size": 64, "intermediate_size": 96,
                         "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 100})");
  const ModelFile model = load_model(path.string());
  EXPECT_EQ(model.name, path.string());
  EXPECT_EQ(model.config.hidden, 64);
  EXPECT_EQ(input_error([] { load_model("gpt-5"); }),
            "--model: \"gpt-5\" is neither a built-in model (qwen2.5-3b, qwen2.5-math-7b, "
            "qwen3-30b-a3b) nor a file");
  EXPECT_THAT(input_error([&] { load_model(folder.path().string()); }),
              HasSubstr("not a regular file"));
}

}  // namespace
}  // namespace nibblecore
