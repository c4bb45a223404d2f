// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/support/program.hpp"
#include "tests/system/support/tensor_file.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kTrace = NIBBLECORE_TEST_DATA "/tiny_grpo";

/// The scripts of scripts/plots on what the program writes.
class Plots : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder.path() / name).string(); }

  void make(Arguments arguments, const std::string& name) const {
    arguments.insert(arguments.end(), {"--json", path(name)});
    const ProgramRun run = run_program(arguments);
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  void make_sweep(const std::string& name) const {
    make({"sweep", kTrace, "--filter", "layer=layers.0.self_attn.k_proj", "--formats", "mxfp4,hif4",
          "--residuals", "none,2:4"},
         name);
  }
  void make_scale_sweep(const std::string& name) const {
    make({"sweep", kTrace, "--filter", "layer=layers.0.self_attn.k_proj", "--scale-bits",
          "0..3,inf"},
         name);
  }
  void make_decomposition(const std::string& name) const {
    make({"decompose", std::string(kTrace) + "/weights.safetensors", "--filter", "layers.[01].mlp"},
         name);
  }

  ProgramRun plot(const std::string& script, const std::string& options) const {
    return run_program_through(
        "exec " NIBBLECORE_SOURCE_DIR "/scripts/plots/" + script + " " + options, {});
  }

  /// Draws into a PNG and an SVG, of which the latter must hold all of `texts`.
  void expect_images(const std::string& script, const std::string& input,
                     const std::vector<std::string>& texts) const {
    for (const char* const image : {"out.png", "out.svg"}) {
      const ProgramRun run = plot(script, path(input) + " -o " + path(image));
      ASSERT_EQ(run.exit_code, 0) << run.err;
      EXPECT_EQ(run.out, "");
    }
    const std::string png = read_bytes(path("out.png"));
    EXPECT_THAT(png, StartsWith("\x89PNG\r\n\x1A\n"));
    EXPECT_THAT(png, HasSubstr("IEND"));
    EXPECT_GT(png.size(), 10'000U);
    const std::string svg = read_bytes(path("out.svg"));
    EXPECT_THAT(svg, StartsWith("<?xml"));
    EXPECT_THAT(svg, HasSubstr("</svg>"));
    for (const std::string& text : texts) {
      EXPECT_THAT(svg, HasSubstr(">" + text + "<"));
    }
    // Nothing but the inputs and these.
    EXPECT_EQ(folder.entries(), (std::vector<std::string>{input, "out.png", "out.svg"}));
  }

  void expect_failure(const std::string& script, const std::string& options,
                      const std::string& fragment) const {
    const std::vector<std::string> before = folder.entries();
    const ProgramRun run = plot(script, options);
    EXPECT_EQ(run.exit_code, 2) << script << " " << options;
    EXPECT_THAT(run.err, HasSubstr(fragment));
    EXPECT_THAT(run.err, testing::Not(HasSubstr("Traceback")));
    EXPECT_EQ(folder.entries(), before);
  }

  TemporaryFolder folder;
};

TEST_F(Plots, ScaleSweep) {
  make_scale_sweep("in");
  expect_images("scale_sweep", "in",
                {"rounded nearest", "unquantized scale", "dead zone", "total, E2M1 blocks of 32"});
  const ProgramRun run =
      plot("scale_sweep", path("in") + " --name gradients -o " + path("out.svg"));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(read_bytes(path("out.svg")), HasSubstr(">gradients, E2M1 blocks of 32<"));
  expect_failure("scale_sweep", path("in") + " --name rewards -o " + path("no.svg"), "rewards");
}

TEST_F(Plots, Decomposition) {
  make_decomposition("in");
  expect_images("decomposition", "in", {"gate_proj", "down_proj", "total", "dead zone"});
}

TEST_F(Plots, Cosines) {
  make_decomposition("in");
  expect_images("cosines", "in", {"gate_proj", "up_proj", "a tensor", "mxfp4 rceil"});
}

TEST_F(Plots, Pareto) {
  make_sweep("in");
  expect_images("pareto", "in",
                {"mxfp4", "hif4 2:4", "cycles", "4 of 4 combinations, machine core16x16x64"});
  const ProgramRun run = plot("pareto", path("in") + " --cost bits -o " + path("out.svg"));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(read_bytes(path("out.svg")), HasSubstr(">bits per value<"));
}

TEST_F(Plots, ParetoOfTensorsIsInBits) {
  make({"sweep", std::string(kTrace) + "/weights.safetensors", "--filter", "layers.0.mlp",
        "--presets", "rceil,floor"},
       "in");
  expect_images("pareto", "in", {"mxfp4 rceil", "bits per value", "2 of 2 combinations"});
}

TEST_F(Plots, SameInputSameBytes) {
  make_sweep("in");
  for (const char* const image : {"one.svg", "two.svg", "one.png", "two.png"}) {
    ASSERT_EQ(plot("pareto", path("in") + " -o " + path(image)).exit_code, 0);
  }
  EXPECT_EQ(read_bytes(path("one.svg")), read_bytes(path("two.svg")));
  EXPECT_EQ(read_bytes(path("one.png")), read_bytes(path("two.png")));
}

TEST_F(Plots, WrongInputs) {
  make_sweep("sweep");
  make_scale_sweep("scales");
  make_decomposition("parts");
  folder.write("text", "no JSON");
  folder.write("list", "[1]");
  folder.write("rows", R"({"configuration":{"input_kind":"trace"},"rows":[{"format":"hif4"}]})");
  folder.write("kinds", R"({"configuration":{},"kinds":[{"name":"k","cos_scale_grid":"x"}]})");
  const auto output = " -o " + path("out.png");
  expect_failure("pareto", path("scales") + output, path("scales"));
  expect_failure("pareto", path("parts") + output, "sweep --json");
  expect_failure("pareto", path("rows") + output, "rows[0] has no preset");
  expect_failure("scale_sweep", path("sweep") + output, "--scale-bits");
  expect_failure("decomposition", path("sweep") + output, "has no kinds");
  expect_failure("cosines", path("scales") + output, "has no kinds");
  expect_failure("cosines", path("kinds") + output, "cos_scale_grid is no number");
  for (const char* const script : {"pareto", "scale_sweep", "decomposition", "cosines"}) {
    expect_failure(script, path("missing") + output, "No such file");
    expect_failure(script, path("text") + output, "no JSON");
    expect_failure(script, path("list") + output, "no report of nibblecore");
    expect_failure(script, path("sweep") + " -o " + path("out.pdf"), ".png or .svg");
    expect_failure(script, path("sweep"), "-o");
  }
  expect_failure("pareto", path("sweep") + " -o " + path("no/out.png"), "no/out.png");
}

}  // namespace
}  // namespace nibblecore
