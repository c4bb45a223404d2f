// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/system/support/expect_refused.hpp"
#include "tests/system/support/small_trace.hpp"

namespace nibblecore {
namespace {

/// A good trace and a good file.
class SweepErrors : public testing::Test {
 protected:
  SweepErrors() {
    trace.tensors().set("x", DType::kF32, {2, 32}, std::vector<float>(64, 1.0F));
    trace.add(1, R"("M":2,"N":2,"K":32)", "x", "x");
    trace.write();
  }

  std::string path(const std::string& name) const {
    return (trace.folder().path() / name).string();
  }
  std::string tensors() const { return (trace.path() / "t.safetensors").string(); }

  void refused(const Arguments& options, const std::vector<std::string>& fragments,
               const std::string& input) const {
    Arguments arguments{"sweep", input, "--json", path("json"), "--csv", path("csv")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_refused(trace.folder(), arguments, fragments);
  }
  void refused(const Arguments& options, const std::vector<std::string>& fragments) const {
    refused(options, fragments, trace.path().string());
    refused(options, fragments, tensors());
  }

  SmallTrace trace;
};

TEST_F(SweepErrors, Axes) {
  refused({"--formats", "fp4"}, {"fp4", "mxfp4, hif4, nvfp4"});
  refused({"--formats", "mxfp4,"}, {"--formats", "empty name"});
  refused({"--presets", "best"}, {"--presets", "'best'"});
  refused({"--formats", "hif4", "--presets", "rceil"}, {"--presets", "hif4"});
  refused({"--corrections", "mbs"}, {"--corrections", "'mbs'"});
  refused({"--corrections", "none,none"}, {"--corrections", "'none' twice"});
  refused({"--residuals", "2:5"}, {"2:5", "2:4"});
}

TEST_F(SweepErrors, Input) {
  refused({}, {path("missing"), "No such file"}, path("missing"));
  refused({"--schemes", "best"}, {"best"}, trace.path().string());
  refused({"--machine", "best"}, {"best"}, trace.path().string());
  refused({"--residual-scope", "none"}, {"none", "rollout"}, trace.path().string());
  refused({"--filter", "phase=rollout"}, {"--filter", "phase=rollout"}, trace.path().string());
  refused({"--filter", "phase=rollout", "--scale-bits", "0"}, {"--filter", "phase=rollout"},
          trace.path().string());
  refused({"--filter", "y"}, {tensors(), "\"y\""}, tensors());
  trace.add(R"({"id":2,"phase":"train","layer":"l","gemm":"fprop","M":1,"N":1,"K":32,)"
            R"("quantize":true})");
  trace.write();
  refused({}, {"gemms.jsonl:2", "no operands"}, trace.path().string());
  refused({"--scale-bits", "0"}, {"gemms.jsonl:2", "no operands"}, trace.path().string());
}

TEST_F(SweepErrors, WhatTensorsAloneDoNotHave) {
  refused({"--schemes", "alto"}, {"--schemes"}, tensors());
  refused({"--machine", "b200"}, {"--machine", tensors()}, tensors());
  refused({"--residual-scope", "all"}, {"--residual-scope"}, tensors());
}

TEST_F(SweepErrors, AGridOfRefusals) {
  refused({"--formats", "nvfp4", "--corrections", "mbs-static"},
          {"no combination", "nvfp4 te_nvfp4, corrections mbs-static"});
}

TEST_F(SweepErrors, ScaleBits) {
  refused({"--scale-bits", "0..24"}, {"--scale-bits", "24"});
  refused({"--scale-bits", "0", "--corrections", "sr"}, {"--scale-bits", "--formats"});
  refused({"--scale-bits", "0", "--presets", "floor"}, {"--scale-bits"});
  refused({"--scale-bits", "0", "--formats", "hif4"}, {"--formats", "E2M1"});
  refused({"--scale-bits", "0", "--formats", "mxfp4,nvfp4"}, {"--formats", "one"});
  std::vector<float> values(64, 1.0F);
  values[33] = std::numeric_limits<float>::infinity();
  trace.tensors().set("x", DType::kF32, {2, 32}, values);
  trace.write();
  refused({"--scale-bits", "0"}, {"tensor 'x'", "row 1, column 1", "not finite"});
}

TEST_F(SweepErrors, OutputFiles) {
  const std::string input = trace.path().string();
  expect_refused(trace.folder(), {"sweep", input, "--csv", path("out"), "--json", path("out")},
                 {"--csv, --json", "same file"});
  expect_refused(trace.folder(), {"sweep", input, "--csv", path("no/out")}, {path("no/out")});
}

}  // namespace
}  // namespace nibblecore
