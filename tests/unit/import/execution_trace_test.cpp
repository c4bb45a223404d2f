// SPDX-License-Identifier: Apache-2.0
#include "model/import/execution_trace.hpp"

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_error.hpp"
#include "tests/unit/import/import_support.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ImportedTrace execution_file(const std::string& name, const ImportOptions& options = unmerged()) {
  return import_text(import_execution_trace, read_bytes(import_data(name)), options);
}

TEST(ExecutionTrace, Layout10) {
  const ImportedTrace trace = execution_file("et_1_0.json");
  EXPECT_THAT(briefs(trace),
              ElementsAre("unknown/linear.0 fprop 1x16x8 01", "train/linear.0 fprop 64x16x8 01",
                          "train/linear.0 dgrad 64x8x16 00", "train/linear.0 wgrad 16x8x64 10"));
  EXPECT_EQ(trace.records[0].step, 3);
  EXPECT_EQ(trace.records[1].step, std::nullopt);
  EXPECT_EQ(trace.counts.skipped.at(SkipReason::kWrapper), 3);
}

TEST(ExecutionTrace, Layout11AndWeightsByInputs) {
  EXPECT_THAT(briefs(execution_file("et_1_1.json")),
              ElementsAre("train/addmm.0 fprop 64x24x8 00", "train/addmm.0 dgrad 64x8x24 01",
                          "train/addmm.0 wgrad 8x24x64 10"));
}

TEST(ExecutionTrace, TinyGrpo) {
  const ImportCounts counts = execution_file("tiny_grpo_et.json.gz").counts;
  EXPECT_EQ(counts.by_operator.at("mm"), 235);
  EXPECT_EQ(counts.by_operator.at("addmm"), 84);
  EXPECT_EQ(counts.by_operator.at("bmm"), 88);
  EXPECT_EQ(counts.skipped.at(SkipReason::kWrapper), 203 + 175);
  EXPECT_EQ(counts.backward.at("mm"), 116);
  EXPECT_EQ(counts.linked.at("mm"), 116);
  EXPECT_EQ(counts.backward.at("bmm"), 32);
  EXPECT_EQ(counts.linked.at("bmm"), 32);
  EXPECT_EQ(counts.by_kind.at(GemmKind::kFprop), 259);
  EXPECT_EQ(counts.by_kind.at(GemmKind::kDgrad), 74);
  EXPECT_EQ(counts.by_kind.at(GemmKind::kWgrad), 74);
  EXPECT_EQ(counts.ambiguous, 0);
}

// Four layers of seven and the head, by their weights, whatever the phase.
TEST(ExecutionTrace, TinyGrpoHas29LinearLayers) {
  std::set<std::string> layers;
  for (const GemmRecord& record : execution_file("tiny_grpo_et.json.gz").records) {
    if (record.batch == 1) {
      layers.insert(record.layer);
    }
  }
  EXPECT_EQ(layers.size(), 29U);
  EXPECT_EQ(layers.count("linear.28"), 1U);
}

TEST(ExecutionTrace, MergingKeepsTheWork) {
  const auto macs = [](const ImportedTrace& trace) {
    int64_t sum = 0;
    for (const GemmRecord& record : trace.records) {
      sum += record.macs();
    }
    return sum;
  };
  const ImportedTrace all = execution_file("tiny_grpo_et.json.gz");
  for (const Merge merge : {Merge::kLayer, Merge::kShape}) {
    ImportOptions options;
    options.merge = merge;
    const ImportedTrace merged = execution_file("tiny_grpo_et.json.gz", options);
    EXPECT_LT(merged.records.size(), all.records.size());
    EXPECT_EQ(macs(merged), macs(all));
    EXPECT_EQ(merged.counts.taken, all.counts.taken);
  }
}

TEST(ExecutionTrace, MalformedFiles) {
  const auto refusal = [](const std::string& nodes, const std::string& schema = "\"1.0.1\"") {
    return input_error([&] {
      import_text(import_execution_trace, "{\"schema\":" + schema + ",\"nodes\":[" + nodes + "]}");
    });
  };
  EXPECT_THAT(refusal("3"), HasSubstr("f, node 0: is 3, not a node"));
  EXPECT_THAT(refusal(R"({"id":1})"), HasSubstr("f, node 0, field \"name\": is missing"));
  EXPECT_THAT(refusal(R"({"name":"a"})"), HasSubstr("f, node 0, field \"id\": is missing"));
  EXPECT_THAT(refusal(R"({"name":"a","id":1.5})"), HasSubstr("field \"id\": is \"1.5\", not a 64"));
  EXPECT_THAT(refusal(R"({"name":"a","id":1,"parent":[2]})"),
              HasSubstr("field \"parent\": is [2]"));
  EXPECT_THAT(refusal(R"({"name":"a","id":1},{"name":"a","id":1})"), HasSubstr("1 occurs twice"));
  EXPECT_THAT(refusal(R"({"name":"aten::mm","id":1,"parent":2},{"name":"a","id":2,"parent":1})"),
              HasSubstr("in a circle"));
  EXPECT_THAT(refusal(R"({"name":"aten::mm","id":1})"),
              HasSubstr("recorded without record_shapes"));
  EXPECT_THAT(refusal("", "\"2.0.0\""), HasSubstr("field \"schema\": is \"2.0.0\""));
  EXPECT_THAT(refusal("", "7"), HasSubstr("field \"schema\": is 7"));
}

TEST(ExecutionTrace, OtherFiles) {
  const auto refusal = [](const std::string& text) {
    return input_error([&] { import_text(import_execution_trace, text); });
  };
  EXPECT_THAT(refusal("{\"nodes\":[]}"), HasSubstr("has no \"schema\""));
  EXPECT_THAT(refusal("{\"schema\":\"1.0.1\"}"), HasSubstr("has no \"nodes\""));
  EXPECT_THAT(refusal(R"({"schemaVersion":1,"traceEvents":[]})"), HasSubstr("import it as kineto"));
}

}  // namespace
}  // namespace nibblecore
