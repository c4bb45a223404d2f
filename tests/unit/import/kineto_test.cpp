// SPDX-License-Identifier: Apache-2.0
#include "model/import/kineto.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_error.hpp"
#include "tests/unit/import/gzip_text.hpp"
#include "tests/unit/import/import_support.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

ImportedTrace kineto(const std::string& text, const ImportOptions& options = unmerged()) {
  return import_text(import_kineto, text, options);
}

ImportedTrace kineto_file(const std::string& name) { return kineto(read_bytes(import_data(name))); }

// An array of one complete mm with these fields more.
std::string mm(const std::string& fields) {
  return R"([{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":5,"dur":2)" + fields +
         "}]";
}

std::string with_shapes(const std::string& arguments = "") {
  return R"(,"args":{"Input Dims":[[4,5],[5,6]])" + arguments + "}";
}

TEST(Kineto, TrainingStep) {
  const ImportedTrace trace = kineto_file("kineto_training.json");
  EXPECT_THAT(
      briefs(trace),
      ElementsAre("train/linear.0 fprop 256x128x96 01", "train/linear.1 fprop 256x64x128 01",
                  "train/linear.1 wgrad 64x128x256 10", "train/linear.1 dgrad 256x128x64 00",
                  "train/linear.0 dgrad 256x96x128 00", "train/linear.0 wgrad 128x96x256 10"));
  for (const GemmRecord& record : trace.records) {
    EXPECT_EQ(record.step, 5);
    EXPECT_EQ(record.rank, 2);
    EXPECT_TRUE(record.quantize);
  }
}

TEST(Kineto, WhatIsSkippedIsCountedByReason) {
  const ImportCounts counts = kineto_file("kineto_training.json").counts;
  EXPECT_EQ(counts.taken, 6);
  EXPECT_EQ(counts.by_operator.at("mm"), 5);
  EXPECT_EQ(counts.by_operator.at("addmm"), 1);
  EXPECT_EQ(counts.skipped.at(SkipReason::kWrapper), 3);
  for (const SkipReason reason :
       {SkipReason::kEmptyWrapper, SkipReason::kNoShapes, SkipReason::kGrouped,
        SkipReason::kUnknownOperator, SkipReason::kBadShapes, SkipReason::kEmptyProduct,
        SkipReason::kNotComplete, SkipReason::kNoTime}) {
    EXPECT_EQ(counts.skipped.at(reason), 1) << text_of(reason);
  }
  EXPECT_EQ(counts.all_skipped(), 11);
  EXPECT_EQ(counts.unknown_operators.at("_C::cutlass_gemm_w4a4"), 1);
}

TEST(Kineto, GzipAndPlainGiveTheSame) {
  const std::string text = read_bytes(import_data("kineto_training.json"));
  EXPECT_EQ(briefs(kineto(gzip(text))), briefs(kineto(text)));
}

TEST(Kineto, CheckpointingRunsForwardInsideBackward) {
  EXPECT_THAT(
      briefs(kineto_file("kineto_checkpoint.json")),
      ElementsAre("train/linear.0 fprop 48x32x16 01", "train/addmm.0 fprop 48x24x32 00",
                  "train.recompute/linear.0 fprop 48x32x16 01", "train/linear.0 wgrad 32x16x48 10",
                  "train/linear.0 dgrad 48x16x32 00", "train.recompute/addmm.0 fprop 48x24x32 01",
                  "train/addmm.0 dgrad 48x32x24 01", "train/addmm.0 wgrad 32x24x48 10"));
}

// The backward pass of a checkpointed layer runs on autograd's thread, outside of annotations.
TEST(Kineto, StepOfAnotherThread) {
  for (const GemmRecord& record : kineto_file("kineto_checkpoint.json").records) {
    EXPECT_EQ(record.step, 8) << brief(record);
  }
}

TEST(Kineto, WithoutShapes) {
  EXPECT_THAT(input_error([] { kineto_file("kineto_without_shapes.json"); }),
              HasSubstr("f: recorded without record_shapes: 2 GEMM operators"));
}

TEST(Kineto, ModulesNameLayers) {
  EXPECT_THAT(briefs(kineto(mm(with_shapes(R"(,"Module Hierarchy":"m.layers.3.q")")))),
              ElementsAre("unknown/m.layers.3.q fprop 4x6x5 01"));
  const std::string modules =
      R"([{"ph":"X","cat":"python_function","name":"nn.Module: Model_0","pid":1,"tid":1,"ts":1,"dur":9},)"
      R"({"ph":"X","cat":"python_function","name":"nn.Module: Linear_2","pid":1,"tid":1,"ts":2,"dur":7},)"
      R"({"ph":"X","cat":"python_function","name":"file.py(3): f","pid":1,"tid":1,"ts":3,"dur":5},)";
  EXPECT_THAT(briefs(kineto(modules + mm(with_shapes()).substr(1))),
              ElementsAre("unknown/Model_0.Linear_2 fprop 4x6x5 01"));
}

TEST(Kineto, StridesTellStorage) {
  EXPECT_THAT(briefs(kineto(mm(with_shapes(R"(,"Input Strides":[[5,1],[6,1]])")))),
              ElementsAre("unknown/mm.0 fprop 4x6x5 00"));
}

TEST(Kineto, AttentionStaysUnquantized) {
  const ImportedTrace trace = kineto(
      R"([{"ph":"X","cat":"cpu_op","name":"aten::bmm","pid":1,"tid":1,"ts":5,"dur":2,"args":{"Input Dims":[[3,4,5],[3,5,6]]}}])");
  ASSERT_EQ(trace.records.size(), 1U);
  EXPECT_FALSE(trace.records[0].quantize);
  EXPECT_EQ(trace.records[0].batch, 3);
}

TEST(Kineto, Options) {
  ImportOptions options;
  options.phase = "rollout.decode";
  options.unquantized = "^mm";
  const ImportedTrace trace = kineto(mm(with_shapes()), options);
  ASSERT_EQ(trace.records.size(), 1U);
  EXPECT_EQ(trace.records[0].phase, "rollout.decode");
  EXPECT_FALSE(trace.records[0].quantize);
  options.unquantized = "(";
  EXPECT_THAT(input_error([&] { kineto(mm(with_shapes()), options); }),
              HasSubstr("unquantized layers"));
}

TEST(Kineto, PhaseOptionKeepsRecomputationApart) {
  ImportOptions options = unmerged();
  options.phase = "p";
  const ImportCounts counts =
      kineto(read_bytes(import_data("kineto_checkpoint.json")), options).counts;
  EXPECT_EQ(counts.by_phase.at("p"), 6);
  EXPECT_EQ(counts.by_phase.at("p.recompute"), 2);
}

// A function of a user's own: nothing to link to, and a name longer than a manifest takes.
TEST(Kineto, UnlinkedBackwardGoesByStrides) {
  const std::string function = std::string(3000, 'f') + "Backward";
  const std::string call = R"({"ph":"X","cat":"cpu_op","pid":1,"tid":1,"dur":2,)";
  const ImportedTrace trace = kineto(
      "[" + call + R"("name":")" + function + R"(","ts":1,"dur":9},)" + call +
      R"("name":"aten::mm","ts":2,"args":{"Input Dims":[[4,5],[5,6]],"Input Strides":[[5,1],[6,1]]}},)" +
      call +
      R"("name":"aten::mm","ts":5,"args":{"Input Dims":[[4,5],[5,6]],"Input Strides":[[1,4],[6,1]]}}])");
  ASSERT_EQ(trace.records.size(), 2U);
  EXPECT_EQ(trace.records[0].kind, GemmKind::kDgrad);
  EXPECT_EQ(trace.records[1].kind, GemmKind::kWgrad);
  EXPECT_EQ(trace.records[0].phase, "train");
  EXPECT_EQ(trace.records[0].layer, std::string(248, 'f') + "Backward.0");
  EXPECT_EQ(trace.records[1].layer, std::string(248, 'f') + "Backward.1");
  EXPECT_EQ(trace.counts.ambiguous, 2);
  EXPECT_EQ(trace.counts.settled_by_strides, 2);
  EXPECT_EQ(trace.counts.linked.count("mm"), 0U);
}

TEST(Kineto, KernelsAloneGiveAHint) {
  EXPECT_THAT(
      input_error([] {
        kineto(R"([{"ph":"X","cat":"kernel","name":"sgemm","pid":0,"tid":1,"ts":1,"dur":2}])");
      }),
      AllOf(HasSubstr("holds no GEMM operator"), HasSubstr("1 kernels with names of GEMMs")));
}

TEST(Kineto, MalformedFiles) {
  const auto refusal = [](const std::string& text) { return input_error([&] { kineto(text); }); };
  EXPECT_THAT(refusal("[1]"), HasSubstr("f, event 0: is 1, not an event"));
  EXPECT_THAT(refusal(R"([{},{"name":7}])"), HasSubstr("f, event 1, field \"name\": is 7"));
  EXPECT_THAT(refusal("[]"), HasSubstr("f: holds no GEMM operator"));
  EXPECT_THAT(refusal("{}"), HasSubstr("f: has no \"traceEvents\""));
  EXPECT_THAT(refusal(R"({"schema":"1.0.1","nodes":[]})"), HasSubstr("import it as et"));
  EXPECT_THAT(refusal(mm(with_shapes()).substr(0, 40)), HasSubstr("f, offset 40"));
  EXPECT_THAT(refusal(gzip(mm(with_shapes())).substr(0, 60)), HasSubstr("cut short"));
}

// Odd but legal: nothing here may be believed or stop the rest.
TEST(Kineto, OddFields) {
  for (const char* const fields :
       {R"(,"args":7)", R"(,"args":{"Input Dims":{}})", R"(,"args":{"Input Dims":[[4,5],[5,"6"]]})",
        R"(,"dur":-1)", R"(,"ts":"late")", R"(,"ts":9223372036854775807)",
        R"(,"ts":9223372036854775,"dur":9223372036854775)"}) {
    EXPECT_THAT(input_error([&] { kineto(mm(fields)); }), HasSubstr("f: ")) << fields;
  }
  EXPECT_EQ(kineto(mm(R"(,"pid":[1],"tid":{})" +
                      with_shapes(R"(,"Sequence number":1e99,"Fwd thread id":null)")))
                .counts.taken,
            1);
}

}  // namespace
}  // namespace nibblecore
