// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/support/program.hpp"
#include "tests/system/support/report.hpp"
#include "tests/system/support/tensor_file.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace json = boost::json;

/// A file of two layers of one kind and another one, and what the command makes of it.
class Decompose : public testing::Test {
 protected:
  Decompose() {
    // Under rule ceil: scale 1 where the ideal one is 0.5 (all dyadic).
    std::vector<float> q(64);
    q[0] = 3;
    q[1] = 0.75F;
    q[2] = 0.25F;
    q[3] = 0.1875F;
    q[4] = 0.0625F;
    q[5] = -1.75F;
    file.set("layers.0.q_proj.weight", DType::kF32, {2, 32}, q);  // the second block is all zero
    for (float& value : q) {
      value *= 2;
    }
    file.set("layers.1.q_proj.weight", DType::kF32, {32, 2}, q);
    file.set("train/layers.0.o_proj.gy", DType::kBf16, {32}, std::vector<uint16_t>(32, 0x3F80));
    file.write(path("in"));
  }

  std::string path(const std::string& name) const { return (folder.path() / name).string(); }

  /// Standard output of a run that has to succeed without a remark.
  std::string decompose(const Arguments& options) const {
    Arguments arguments{"decompose", path("in")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return run.out;
  }

  json::object read_json(const std::string& name) const {
    return json::parse(read_bytes(path(name))).as_object();
  }

  TemporaryFolder folder;
  TensorFile file;
};

std::string text(const json::object& object, std::string_view name) {
  return std::string(object.at(name).as_string());
}

double number(const json::object& object, std::string_view name) {
  return object.at(name).to_number<double>();
}

TEST_F(Decompose, FiguresOfABlockByHand) {
  decompose({"--preset", "ceil", "--filter", "layers.0.q_proj", "--json", path("json")});
  const json::object report = read_json("json");
  const json::object& tensor = report.at("tensors").as_array().at(0).as_object();
  EXPECT_EQ(text(tensor, "name"), "layers.0.q_proj.weight");
  // Energies .1875, .06640625, .00390625 of .2265625; <scale, grid> is -.015625.
  EXPECT_EQ(number(tensor, "scale"), 0.827586);
  EXPECT_EQ(number(tensor, "grid"), 0.293103);
  EXPECT_EQ(number(tensor, "dead_zone"), 0.017241);
  EXPECT_EQ(number(tensor, "cos_scale_grid"), -0.140028);
  EXPECT_EQ(number(tensor, "cos_scale_dead_zone"), 0);
  EXPECT_EQ(number(tensor, "closure"), 1);
  EXPECT_TRUE(tensor.at("orthogonal").as_bool());
  EXPECT_EQ(number(tensor, "error_energy"), 0.2265625);
  EXPECT_EQ(number(tensor, "signal_energy"), 12.7265625);
  EXPECT_EQ(number(tensor, "relative_mse"), 0.017802);
  EXPECT_EQ(number(tensor, "gain"), 1.04113);
  EXPECT_EQ(integer(tensor, "blocks"), 1);
  EXPECT_EQ(integer(tensor, "zero_blocks"), 1);
  EXPECT_EQ(integer(tensor, "elements"), 32);
  EXPECT_EQ(integer(tensor, "values"), 64);
  EXPECT_EQ(number(tensor, "in_dead_zone"), 0.84375);
  EXPECT_EQ(number(tensor, "zeros"), 0.90625);
  EXPECT_EQ(number(tensor, "underflow"), 0.5);
  EXPECT_EQ(number(tensor, "gamma_mean"), 2);
  EXPECT_EQ(number(tensor, "gamma_sd"), 0);
  EXPECT_EQ(number(tensor, "delta_mean"), 1);
  EXPECT_EQ(number(tensor, "amax"), 3);
}

TEST_F(Decompose, JsonHoldsTheWholeConfiguration) {
  decompose({"--format", "nvfp4", "--axis", "0", "--filter", "proj", "--json", path("json"),
             "--threads", "1"});
  const json::object report = read_json("json");
  const json::object& configuration = report.at("configuration").as_object();
  EXPECT_EQ(text(configuration, "input"), path("in"));
  EXPECT_EQ(text(configuration, "format"), "nvfp4");
  EXPECT_EQ(text(configuration, "preset"), "te_nvfp4");
  EXPECT_EQ(text(configuration, "filter"), "proj");
  EXPECT_EQ(integer(configuration, "axis"), 0);
  EXPECT_FALSE(configuration.contains("threads"));
  EXPECT_EQ(text(report.at("versions").as_object(), "nibblecore"), NIBBLECORE_VERSION);
}

TEST_F(Decompose, SumsKindsAndAll) {
  decompose({"--json", path("json")});
  const json::object report = read_json("json");
  const json::array& kinds = report.at("kinds").as_array();
  ASSERT_EQ(kinds.size(), 2U);
  const json::object& q_proj = kinds.at(0).as_object();
  EXPECT_EQ(text(q_proj, "name"), "q_proj");
  EXPECT_EQ(text(kinds.at(1).as_object(), "name"), "o_proj");
  EXPECT_EQ(integer(q_proj, "tensors"), 2);
  EXPECT_EQ(integer(q_proj, "values"), 128);
  const json::object& total = report.at("total").as_object();
  EXPECT_EQ(integer(total, "tensors"), 3);
  EXPECT_EQ(integer(total, "values"), 160);
  double error = 0;
  for (const json::value& tensor : report.at("tensors").as_array()) {
    error += number(tensor.as_object(), "error_energy");
  }
  EXPECT_EQ(number(total, "error_energy"), error);
}

TEST_F(Decompose, CsvHoldsTheFiguresOfTheJson) {
  decompose({"--preset", "floor", "--csv", path("csv"), "--json", path("json")});
  const std::vector<std::vector<std::string>> rows = read_csv(path("csv"));
  ASSERT_EQ(rows.size(), 7U);  // titles, 3 tensors, 2 kinds, total
  const json::object report = read_json("json");
  std::vector<const json::object*> objects;
  for (const char* const list : {"tensors", "kinds"}) {
    for (const json::value& value : report.at(list).as_array()) {
      objects.push_back(&value.as_object());
    }
  }
  objects.push_back(&report.at("total").as_object());
  const std::vector<std::string> levels{"tensor", "tensor", "tensor", "kind", "kind", "total"};
  for (size_t i = 0; i < objects.size(); ++i) {
    const json::object& object = *objects[i];
    const std::vector<std::string>& cells = rows[i + 1];
    ASSERT_EQ(cells.size(), rows[0].size());
    EXPECT_EQ(cells[0], levels[i]);
    EXPECT_EQ(cells[1], text(object, "name"));
    ASSERT_EQ(object.size() + 1, cells.size());
    for (size_t column = 2; column < cells.size(); ++column) {
      const json::value& value = object.at(rows[0][column]);
      if (value.is_null()) {
        EXPECT_EQ(cells[column], "") << rows[0][column];
      } else if (value.is_bool()) {
        EXPECT_EQ(cells[column], value.as_bool() ? "true" : "false");
      } else {
        EXPECT_EQ(std::stod(cells[column]), value.to_number<double>()) << rows[0][column];
      }
    }
  }
}

TEST_F(Decompose, TextNamesTensorsKindsAndTotal) {
  const std::string out = decompose({"--preset", "ceil"});
  for (const char* const part : {"mxfp4 ceil", "layers.1.q_proj.weight", "all q_proj",
                                 "train/layers.0.o_proj.gy", "all o_proj", "total", "dead zone",
                                 "gamma", "kurtosis", "is orthogonal to both other parts",
                                 "30 blocks that are all zero, 0 with NaN or infinity"}) {
    EXPECT_THAT(out, HasSubstr(part));
  }
  EXPECT_THAT(folder.entries(), ElementsAre("in"));
}

TEST_F(Decompose, SaysWhereOrthogonalityDoesNotHold) {
  std::vector<float> values(32);
  values[0] = 7;
  values[1] = 0.28F;
  TensorFile small;
  small.set("x", DType::kF32, {32}, values);
  small.write(path("in"));
  const std::string out = decompose({"--preset", "floor", "--json", path("json")});
  EXPECT_THAT(out, HasSubstr("Orthogonality does not hold: Q is not 0 on 1 of the 31 elements of "
                             "the dead zone (1 of 1 blocks have a scale below the ideal one)"));
  const json::object report = read_json("json");
  const json::object& total = report.at("total").as_object();
  EXPECT_FALSE(total.at("orthogonal").as_bool());
  EXPECT_EQ(number(total, "cos_scale_dead_zone"), -0.447214);
  EXPECT_EQ(integer(total, "dead_zone_values"), 1);
  EXPECT_EQ(number(total, "small_scale_blocks"), 1);
  EXPECT_EQ(number(total, "saturation"), 0.5);
}

TEST_F(Decompose, BlocksAlongAnotherAxis) {
  // [32, 2] along axis 0: two blocks of 32, the even and the odd elements.
  decompose({"--filter", "layers.1", "--axis", "0", "--json", path("down")});
  decompose({"--filter", "layers.1", "--json", path("across")});
  const auto blocks = [&](const std::string& name) {
    return integer(read_json(name).at("total").as_object(), "blocks") +
           integer(read_json(name).at("total").as_object(), "zero_blocks");
  };
  EXPECT_EQ(blocks("down"), 2);
  EXPECT_EQ(blocks("across"), 32);
}

TEST_F(Decompose, SameBytesOnAnyNumberOfThreads) {
  std::vector<float> values(330000);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(static_cast<int>(i * 2654435761U % 2001) - 1000) / 256;
  }
  file.set("large", DType::kF32, {300, 1100}, values);
  file.write(path("in"));
  for (const char* const format : {"mxfp4", "hif4", "nvfp4"}) {
    const auto run = [&](const char* threads, const char* csv, const char* report) {
      return decompose(
          {"--format", format, "--threads", threads, "--csv", path(csv), "--json", path(report)});
    };
    EXPECT_EQ(run("1", "csv1", "json1"), run("3", "csv3", "json3"));
    EXPECT_EQ(read_bytes(path("csv1")), read_bytes(path("csv3")));
    EXPECT_EQ(read_bytes(path("json1")), read_bytes(path("json3")));
  }
}

TEST_F(Decompose, SeedOfStochasticRounding) {
  const auto energy = [&](const Arguments& options) {
    Arguments arguments{"--rounding", "stochastic", "--json", path("json")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    decompose(arguments);
    const json::object report = read_json("json");
    return number(report.at("tensors").as_array().back().as_object(), "error_energy");
  };
  const std::string last = "train/layers.0.o_proj.gy";
  std::vector<float> values(320);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(i % 37) / 8;
  }
  file.set(last, DType::kF32, {10, 32}, values);
  file.write(path("in"));
  const double first = energy({});
  EXPECT_EQ(energy({"--seed", "1"}), first);
  EXPECT_EQ(energy({"--filter", last}), first) << "the tensor's ordinal is that of the file";
  EXPECT_NE(energy({"--seed", "2"}), first);
}

TEST_F(Decompose, LeavesOutIntegersWithANote) {
  file.set("ids", DType::kI64, {2}, std::vector<int64_t>{1, 2});
  file.write(path("in"));
  const ProgramRun run = run_program({"decompose", path("in")});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.err, HasSubstr(path("in") + ": tensor 'ids': I64"));
  EXPECT_THAT(run.out, Not(HasSubstr("ids")));
  EXPECT_EQ(run_program({"decompose", path("in"), "--filter", "proj"}).err, "");
}

TEST_F(Decompose, ATensorWithoutSignalHasNoRatios) {
  TensorFile zeros;
  zeros.set("x", DType::kF32, {2, 32}, std::vector<float>(64));
  zeros.set("none", DType::kF32, {0, 32}, std::vector<float>());
  zeros.write(path("in"));
  const std::string out = decompose({"--csv", path("csv"), "--json", path("json")});
  EXPECT_THAT(out, Not(HasSubstr("nan")));
  const json::object report = read_json("json");
  for (const json::value& tensor : report.at("tensors").as_array()) {
    for (const char* const name :
         {"scale", "closure", "snr_db", "gain", "gamma_mean", "kurtosis", "zeros"}) {
      EXPECT_TRUE(tensor.as_object().at(name).is_null()) << name;
    }
  }
}

TEST_F(Decompose, BundledWeightsHaveThePublishedShares) {
  const std::string weights = NIBBLECORE_TEST_DATA "/tiny_grpo/weights.safetensors";
  const ProgramRun run = run_program({"decompose", weights, "--json", path("json")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json::object report = read_json("json");
  const json::object& total = report.at("total").as_object();
  EXPECT_EQ(integer(total, "tensors"), 29);
  EXPECT_EQ(report.at("kinds").as_array().size(), 8U);
  EXPECT_TRUE(total.at("orthogonal").as_bool());
  EXPECT_EQ(number(total, "cos_scale_dead_zone"), 0);
  // arXiv 2605.20402, Table 1: 1.725 to 1.726, .703 to .712, .022 to .026, -.657 to -.658. These
  // weights are trained little and nearly Gaussian; scales of single tensors scatter by 2 %.
  EXPECT_NEAR(number(total, "scale"), 1.726, 0.05);
  EXPECT_NEAR(number(total, "grid"), 0.712, 0.03);
  EXPECT_NEAR(number(total, "dead_zone"), 0.022, 0.003);
  EXPECT_NEAR(number(total, "cos_scale_grid"), -0.658, 0.015);
}

}  // namespace
}  // namespace nibblecore
