// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/support/program.hpp"
#include "tests/system/support/report.hpp"
#include "tests/system/support/sweep_report.hpp"
#include "tests/system/support/tensor_file.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;

namespace json = boost::json;

/// Sweeps of a small file.
class SweepTensors : public testing::Test {
 protected:
  SweepTensors() {
    // Under E8M0 rounded up the scale is 1: 5 becomes 4, all else is exact.
    std::vector<float> x(32);
    x[0] = 5;
    x[1] = 1;
    file.set("layers.0.up.x", DType::kF32, {1, 32}, x);
    file.set("layers.0.up.weight", DType::kF32, {1, 32}, std::vector<float>(32, 0.5F));
    file.set("layers.0.ids", DType::kI32, {4}, std::vector<int32_t>(4));
    file.set("empty.x", DType::kF32, {0, 32}, std::vector<float>());
    file.write(path("in"));
  }

  std::string path(const std::string& name) const { return (folder.path() / name).string(); }

  SweepReport report_of(const Arguments& options) const {
    Arguments arguments{"sweep", path("in"), "--json", path("json"), "--csv", path("csv")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return SweepReport(path("json"));
  }

  TemporaryFolder folder;
  TensorFile file;
};

TEST_F(SweepTensors, FiguresByHand) {
  const SweepReport report =
      report_of({"--formats", "mxfp4", "--residuals", "none,dense", "--filter", "\\.x$"});
  const json::object& plain = report.row("none", "none");
  EXPECT_EQ(integer(plain, "tensors"), 1);
  EXPECT_EQ(number(plain, "relative_error"), 0.0384615);  // 1 / 26
  EXPECT_EQ(number(plain, "snr_db"), 14.149733);
  EXPECT_EQ(number(plain, "gain"), 0.807692);  // (4 * 5 + 1) / 26
  EXPECT_EQ(number(plain, "cosine"), std::round(21 / std::sqrt(26 * 17) * 1e6) / 1e6);
  EXPECT_EQ(number(plain, "underflow"), 0);
  EXPECT_EQ(number(plain, "bits_per_value"), 4.25);
  EXPECT_TRUE(plain.at("factor_bits").is_null());
  EXPECT_FALSE(plain.contains("cycles"));
  // s* is 5/6: 1 becomes 5/6, so e_grid is -1/6, and e_scale is -1 and 1/6.
  EXPECT_EQ(number(plain, "scale"), 1.027778);
  EXPECT_EQ(number(plain, "grid"), 0.027778);
  EXPECT_EQ(number(plain, "dead_zone"), 0);
  // The residual of 1 is exact, and there is no plain decomposition of it.
  const json::object& dense = report.row("none", "dense");
  EXPECT_EQ(number(dense, "relative_error"), 0);
  EXPECT_TRUE(dense.at("snr_db").is_null());
  EXPECT_EQ(number(dense, "cosine"), 1);
  EXPECT_EQ(number(dense, "bits_per_value"), 8.5);
  EXPECT_TRUE(dense.at("scale").is_null());
}

TEST_F(SweepTensors, TheFallbackWeighsTheResidual) {
  const SweepReport report = report_of(
      {"--formats", "mxfp4", "--corrections", "fallback-0.5,fallback-1", "--filter", "\\.x$"});
  // 4 + 0.5 for 5.
  EXPECT_EQ(number(report.row("fallback-0.5", "none"), "relative_error"), 0.00961538);
  EXPECT_EQ(number(report.row("fallback-1", "none"), "relative_error"), 0);
}

TEST_F(SweepTensors, NamesSayWhatIsAWeight) {
  const SweepReport x = report_of(
      {"--formats", "mxfp4", "--corrections", "mbs-hybrid-32,square", "--filter", "\\.x$"});
  EXPECT_EQ(text(x.row(0), "factor_bits"), "8");
  EXPECT_EQ(number(x.row(0), "bits_per_value"), 4.5);
  const SweepReport weight = report_of(
      {"--formats", "mxfp4", "--corrections", "mbs-hybrid-32,square", "--filter", "weight"});
  EXPECT_EQ(text(weight.row(0), "factor_bits"), "16");
  EXPECT_EQ(number(weight.row(0), "bits_per_value"), 4.75);
}

TEST_F(SweepTensors, LayerKindsAddUpToTheTotal) {
  file.set("head.weight", DType::kBf16, {32}, std::vector<uint16_t>(32, 0x3FC0));
  file.write(path("in"));
  const SweepReport report = report_of({"--formats", "mxfp4"});
  const json::array& kinds = report.row(0).at("kinds").as_array();
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(text(kinds.at(0).as_object(), "kind"), "up");
  EXPECT_EQ(integer(kinds.at(0).as_object(), "tensors"), 2);
  EXPECT_EQ(number(kinds.at(0).as_object(), "relative_error"), 0.0294118);  // 1 / (26 + 32 / 4)
  EXPECT_EQ(integer(report.row(0), "tensors"), 3);
  EXPECT_EQ(number(report.row(0), "relative_error"), 0.00943396);  // 1 / (26 + 8 + 72)
  EXPECT_EQ(read_csv(path("csv")).at(0).size(), report.row(0).size() - 1);
}

TEST_F(SweepTensors, PlainFiguresAreTheDecompositions) {
  const std::string weights = NIBBLECORE_TEST_DATA "/tiny_grpo/weights.safetensors";
  const ProgramRun decomposed = run_program({"decompose", weights, "--format", "hif4", "--filter",
                                             "layers.1", "--json", path("decomposed")});
  ASSERT_EQ(decomposed.exit_code, 0) << decomposed.err;
  const ProgramRun swept = run_program(
      {"sweep", weights, "--format", "hif4", "--filter", "layers.1", "--json", path("json")});
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  const json::value report = json::parse(read_bytes(path("decomposed")));
  const json::object& total = report.at("total").as_object();
  const SweepReport sweep(path("json"));
  for (const char* const name : {"tensors", "gain", "cosine", "snr_db", "scale", "grid",
                                 "dead_zone", "underflow", "saturation"}) {
    EXPECT_EQ(sweep.row(0).at(name), total.at(name)) << name;
  }
}

TEST_F(SweepTensors, SameRunSameBytesOnAnyThreads) {
  const std::string weights = NIBBLECORE_TEST_DATA "/tiny_grpo/weights.safetensors";
  const auto run = [&](const std::string& threads) {
    const ProgramRun done = run_program({"sweep", weights, "--filter", "layers.0.mlp", "--formats",
                                         "mxfp4", "--corrections", "sr+hadamard-32,fallback-rate-1",
                                         "--threads", threads, "--json", path("json")});
    return done.out + read_bytes(path("json"));
  };
  EXPECT_EQ(run("1"), run("3"));
}

TEST_F(SweepTensors, ScaleBitsByHand) {
  const SweepReport report = report_of({"--scale-bits", "0,1,inf", "--filter", "\\.x$"});
  ASSERT_EQ(report.rows().size(), 3U * 7);  // tensor, group, total
  const auto expect = [&](size_t index, const char* scale, double ratio, double error) {
    const json::object& row = report.row(index);
    EXPECT_EQ(text(row, "level"), index < 7 ? "tensor" : index < 14 ? "group" : "total");
    EXPECT_EQ(text(row, "scale_format"), scale);
    EXPECT_EQ(number(row, "error_over_e8m0_up"), ratio);
    EXPECT_NEAR(number(row, "error_energy"), error, 1e-12);
    EXPECT_NEAR(number(row, "signal_energy"), 26, 0);
    EXPECT_EQ(integer(row, "block"), 32);
  };
  for (const size_t first : {size_t{0}, size_t{7}, size_t{14}}) {
    expect(first, "E8M0 up", 1, 1);
    expect(first + 1, "E8M0 nearest", 1, 1);  // 5/6 lies nearer to 1 than to 1/2
    expect(first + 2, "E8M0 down", 4, 4);     // 5 saturates at 3
    expect(first + 3, "E8M1 up", 1, 1);
    expect(first + 4, "E8M1 nearest", 0.265625, 0.265625);  // 3/4: 4.5 and 1.125
    expect(first + 5, "E8M1 down", 0.265625, 0.265625);
    expect(first + 6, "unquantized", 0.027778, 1.0 / 36);
  }
  EXPECT_TRUE(report.row(6).at("mantissa_bits").is_null());
  EXPECT_EQ(text(report.row(6), "rounding"), "unquantized");
  EXPECT_EQ(integer(report.row(5), "mantissa_bits"), 1);
  EXPECT_EQ(text(report.row(5), "rounding"), "down");
  EXPECT_EQ(text(report.row(7), "name"), "up");
}

TEST(SweepScaleBits, OfATracesOperands) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "json").string();
  const ProgramRun run = run_program({"sweep", NIBBLECORE_TEST_DATA "/tiny_grpo", "--scale-bits",
                                      "0..2,inf", "--format", "nvfp4", "--filter",
                                      "layer=layers.0.self_attn.k_proj", "--json", path});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const SweepReport report(path);
  std::vector<std::string> groups;
  size_t tensors = 0;
  for (size_t i = 0; i < report.rows().size(); i += 10) {
    const json::object& row = report.row(i);
    EXPECT_EQ(integer(row, "block"), 16);
    tensors += text(row, "level") == "tensor" ? 1 : 0;
    if (text(row, "level") == "group") {
      groups.push_back(text(row, "name"));
    }
  }
  EXPECT_EQ(groups, (std::vector<std::string>{"activations", "weights", "gradients"}));
  // Weights and inputs of training both ways along, its gradients, and inputs of the rollout.
  EXPECT_EQ(tensors, 2U + 2 + 2 + 4);
  const json::object& total = report.row(report.rows().size() - 1);
  EXPECT_EQ(text(total, "level"), "total");
  EXPECT_EQ(text(total, "scale_format"), "unquantized");
  EXPECT_LT(number(total, "error_over_e8m0_up"), 0.9);
  EXPECT_THAT(run.out, HasSubstr("blocks of 16"));
}

}  // namespace
}  // namespace nibblecore
