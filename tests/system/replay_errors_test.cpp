// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <vector>

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "tests/system/support/expect_refused.hpp"
#include "tests/system/support/small_trace.hpp"

namespace nibblecore {
namespace {

constexpr const char* kShape = R"("M":2,"N":3,"K":32)";

/// A trace whose first record is good; the tests add others.
class ReplayErrors : public testing::Test {
 protected:
  ReplayErrors() {
    trace.tensors()
        .set("a", DType::kF32, {2, 32}, std::vector<float>(64, 1.0F))
        .set("b", DType::kF32, {3, 32}, std::vector<float>(96, 1.0F))
        .set("wide", DType::kF64, {2, 32}, std::vector<double>(64, 1.0));
    trace.add(0, kShape, "a", "b");
  }

  std::string path(const std::string& name) const {
    return (trace.folder().path() / name).string();
  }

  void refused(const std::vector<std::string>& fragments, const Arguments& options = {}) {
    Arguments arguments{"replay", trace.path().string(), "-o", path("out")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_refused(trace.folder(), arguments, fragments);
  }

  /// The trace with a second line that is wrong.
  void refused_line(const std::string& line, std::vector<std::string> fragments) {
    trace.add(line);
    trace.write();
    fragments.emplace_back("gemms.jsonl:2");
    refused(fragments);
  }

  void refused_record(const std::string& shape, const std::string& a, const std::string& b,
                      std::vector<std::string> fragments) {
    trace.add(1, shape, a, b);
    trace.write();
    fragments.emplace_back("gemms.jsonl:2");
    refused(fragments);
  }

  SmallTrace trace;
};

TEST_F(ReplayErrors, NoTrace) {
  expect_refused(trace.folder(), {"replay", path("missing"), "-o", path("out")},
                 {path("missing/gemms.jsonl"), "No such file"});
  refused({path("trace/gemms.jsonl"), "No such file"});
}

TEST_F(ReplayErrors, NoFileOfOperands) {
  trace.write();
  std::filesystem::remove(trace.path() / "t.safetensors");
  refused({path("trace/t.safetensors"), "No such file"});
}

TEST_F(ReplayErrors, WrongShapes) {
  refused_record(R"("M":3,"N":2,"K":32)", "a", "b",
                 {"\"a\"", "t.safetensors", "[3, 32]", "[2, 32]"});
}

TEST_F(ReplayErrors, WrongShapeOfB) {
  refused_record(R"("M":2,"N":2,"K":32)", "a", "b", {"\"b\"", "[2, 32]", "[3, 32]"});
}

TEST_F(ReplayErrors, WrongBatch) {
  trace.add(1, kShape, "a", "b", R"("quantize":true,"batch":2)");
  trace.write();
  refused({"gemms.jsonl:2", "[2, 2, 32]", "[2, 32]"});
}

TEST_F(ReplayErrors, MissingTensor) {
  refused_record(kShape, "a", "c", {"\"c\"", "t.safetensors", "not in the file"});
}

TEST_F(ReplayErrors, WrongType) { refused_record(kShape, "wide", "b", {"\"wide\"", "F64"}); }

TEST_F(ReplayErrors, ErrorsOutsideTheFilterAreFoundToo) {
  trace.add(1, kShape, "a", "missing");
  trace.write();
  refused({"gemms.jsonl:2"}, {"--filter", "phase=train"});
}

TEST_F(ReplayErrors, LineIsNoJson) { refused_line("{\"id\":1,", {"offset"}); }

TEST_F(ReplayErrors, MissingField) {
  refused_line(R"({"id":1,"phase":"train","layer":"l","gemm":"fprop","M":2,"N":3,"quantize":true})",
               {"\"K\"", "missing"});
}

TEST_F(ReplayErrors, SizeTooLarge) {
  refused_line(R"({"id":1,"phase":"train","layer":"l","gemm":"fprop","M":4294967296,)"
               R"("N":4294967296,"K":1,"quantize":false})",
               {"64 bits"});
}

TEST_F(ReplayErrors, FileOutsideTheTrace) {
  refused_line(R"({"id":1,"phase":"train","layer":"l","gemm":"fprop","M":2,"N":3,"K":32,)"
               R"("a":["../t.safetensors","a"],"ta":0,"b":["t.safetensors","b"],"tb":1,)"
               R"("quantize":true})",
               {"../t.safetensors", "outside"});
}

TEST_F(ReplayErrors, SameIdTwice) {
  trace.add(0, kShape, "a", "b");
  trace.write();
  refused({"gemms.jsonl:2", "\"id\"", "line 1"});
}

TEST_F(ReplayErrors, NothingToCompute) {
  refused_line(R"({"id":1,"phase":"train","layer":"l","gemm":"fprop","M":2,"N":3,"K":32,)"
               R"("quantize":true})",
               {"no operands"});
}

TEST_F(ReplayErrors, NothingToComputeForQuantizeAll) {
  trace.add(R"({"id":1,"phase":"train","layer":"lm_head","gemm":"fprop","M":2,"N":3,"K":32,)"
            R"("quantize":false})");
  trace.write();
  refused({"gemms.jsonl:2", "no operands"}, {"--quantize-all"});
}

TEST_F(ReplayErrors, EmptyManifest) {
  trace.write();
  trace.folder().write("trace/gemms.jsonl", "\n");
  refused({path("trace/gemms.jsonl"), "holds no GEMM"});
}

TEST_F(ReplayErrors, TruncatedOperands) {
  trace.write();
  const std::string whole = read_bytes(trace.path() / "t.safetensors");
  trace.folder().write("trace/t.safetensors", whole.substr(0, whole.size() - 1));
  refused({path("trace/t.safetensors"), "data_offsets"});
}

TEST_F(ReplayErrors, UnknownNames) {
  trace.write();
  refused({"mxfp5", "mxfp4"}, {"--format", "mxfp5"});
  refused({"--preset", "'amct'", "rceil"}, {"--preset", "amct"});
  refused({"'fp16'", "fp32-rne"}, {"--accumulate", "fp16"});
  refused({"--machine", "h100", "core16x16x64"}, {"--machine", "h100"});
  refused({"--fidelity", "'gates'", "cycle"}, {"--fidelity", "gates"});
  refused({"--scale-rule", "mxfp4"}, {"--format", "hif4", "--scale-rule", "rceil"});
}

TEST_F(ReplayErrors, Filter) {
  trace.write();
  refused({"filter", "\"rank\"", "phase, gemm, layer"}, {"--filter", "rank=3"});
  refused({"filter", "\"gemm\"", "\"bprop\"", "dgrad"}, {"--filter", "gemm=bprop"});
  refused({"filter", "\"layer\"", "regular expression"}, {"--filter", "layer=(x"});
  refused({"filter", "train"}, {"--filter", "train"});
  refused({"--filter", "no record", "logprob"}, {"--filter", "phase=logprob"});
}

TEST_F(ReplayErrors, OutputFolder) {
  trace.write();
  trace.folder().write("file", "");
  expect_refused(trace.folder(), {"replay", trace.path().string(), "-o", path("file")},
                 {path("file")});
  expect_refused(trace.folder(), {"replay", trace.path().string(), "-o", path("file/out")},
                 {path("file/out")});
}

TEST_F(ReplayErrors, FullDisk) {
  trace.write();
  std::filesystem::create_directory(path("out"));
  const std::vector<std::string> before = trace.folder().entries();
  const ProgramRun run =
      run_program_through(on_full_disk(1), {"replay", trace.path().string(), "-o", path("out")});
  expect_refusal(run, trace.folder(), before, {path("out"), "disk full"});
  EXPECT_TRUE(std::filesystem::is_empty(path("out")));
}

TEST_F(ReplayErrors, Waveform) {
  trace.write();
  std::filesystem::create_directory(path("folder"));
  refused({path("missing/w.vcd")}, {"--vcd", path("missing/w.vcd")});
  refused({path("trace/gemms.jsonl/w.vcd")}, {"--vcd", path("trace/gemms.jsonl/w.vcd")});
  refused({path("folder")}, {"--vcd", path("folder")});
}

TEST_F(ReplayErrors, WaveformIsNotPutInPlaceOfADevice) {
  trace.write();
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  refused({path("pipe")}, {"--vcd", path("pipe")});
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
}

TEST_F(ReplayErrors, CountsWhoseSumsLeave64Bits) {
  // 2^62 multiply-accumulates each: every record fits, their sum does not.
  for (int id = 1; id <= 2; ++id) {
    trace.add(R"({"id":)" + std::to_string(id) +
              R"(,"phase":"train","layer":"l","gemm":"fprop","M":2147483648,"N":2147483648,)"
              R"("K":1,"quantize":false})");
  }
  trace.write();
  refused({"gemms.jsonl", "64 bits"});
}

TEST_F(ReplayErrors, CyclesThatLeave64Bits) {
  // One MAC takes 5 cycles: the product of count and cycles overflows, that of count and MACs
  // does not.
  trace.tensors().set("one", DType::kF32, {1, 1}, std::vector<float>{1});
  trace.add(1, R"("M":1,"N":1,"K":1)", "one", "one",
            R"("quantize":true,"count":4611686018427387904)");
  trace.write();
  refused({"gemms.jsonl:2", "64 bits"});
}

}  // namespace
}  // namespace nibblecore
