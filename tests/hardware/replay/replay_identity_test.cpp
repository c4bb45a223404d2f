// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay_identity.hpp"

#include <chrono>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "tests/hardware/replay/numeric_replay.hpp"

namespace nibblecore::tb {
namespace {

namespace json = boost::json;

class ReplayIdentity : public testing::Test {
 protected:
  json::object identity() const {
    const Trace opened(options.trace);
    opened.validate();
    const OperandSource source(opened, options.fill, options.seed, options.threads);
    return replay_identity(options, plan_replay(options, source));
  }

  /// What differs from the identity at the beginning.
  std::string difference() const {
    const json::object now = identity();
    return json::serialize(now) == json::serialize(before) ? "" : first_difference(before, now);
  }

  NumericReplay small{2};
  ReplayOptions options = small.options;
  json::object before = identity();
};

TEST_F(ReplayIdentity, IsTheSameForTheSame) {
  EXPECT_EQ(difference(), "");
  options.threads = 7;
  EXPECT_EQ(difference(), "");
}

TEST_F(ReplayIdentity, OptionsCount) {
  options.seed = 2;
  EXPECT_EQ(difference(), R"("configuration.seed" was 1 and is 2)");
  options = small.options;
  options.layer_measures = LayerMeasures::kYes;
  EXPECT_EQ(difference(), R"("layer_measures" was false and is true)");
  options = small.options;
  options.machine.fields.front().value += 1;
  EXPECT_EQ(difference().find(R"("configuration.machine.fields.)"), 0U);
}

TEST_F(ReplayIdentity, EveryPresetIsAnother) {
  std::set<std::string> identities;
  for (const Preset& preset : presets()) {
    options.preset = preset;
    identities.insert(json::serialize(identity()));
  }
  EXPECT_EQ(identities.size(), presets().size());
}

TEST_F(ReplayIdentity, ASchemesRulesCountNotJustItsName) {
  options.scheme = built_in_schemes().front();
  before = identity();
  EXPECT_EQ(difference(), "");
  options.scheme->text += " ";
  EXPECT_EQ(difference().find(R"("scheme" was ")"), 0U);
}

TEST_F(ReplayIdentity, TheManifestCounts) {
  small.trace.add("");
  small.trace.write();
  EXPECT_EQ(difference().find(R"("trace.gemms.jsonl" was ")"), 0U);
}

TEST_F(ReplayIdentity, OperandFilesCountByHeaderSizeAndTime) {
  const std::filesystem::path file = small.trace.path() / "t.safetensors";
  const auto time = std::filesystem::last_write_time(file);
  std::filesystem::last_write_time(file, time + std::chrono::nanoseconds(1000));
  EXPECT_EQ(difference().find(R"("trace.t.safetensors.modified" was )"), 0U);
  small.trace.tensors().set("more", DType::kF32, {1}, std::vector<float>{0});
  small.trace.write();
  std::filesystem::last_write_time(file, time);
  EXPECT_EQ(difference().find(R"("trace.t.safetensors.bytes" was )"), 0U);
  small.trace.tensors().remove("more");
  small.trace.tensors().set("x", DType::kF32, {4, 32}, std::vector<float>(4 * 32));
  small.trace.tensors().set("w", DType::kF32, {4, 32}, std::vector<float>(4 * 32));
  small.trace.write();
  std::filesystem::last_write_time(file, time);
  EXPECT_EQ(difference(), "");  // values alone don't show, their file's time does
}

TEST(FirstDifference, NamesTheWayToIt) {
  const auto difference = [](const char* before, const char* now) {
    return first_difference(json::parse(before), json::parse(now));
  };
  EXPECT_EQ(difference(R"({"a":1,"b":{"c":[1,2]}})", R"({"a":1,"b":{"c":[1,3]}})"),
            R"("b.c" was [1,2] and is [1,3])");
  EXPECT_EQ(difference(R"({"a":{"x":1}})", R"({"a":null})"), R"("a" was {"x":1} and is null)");
  EXPECT_EQ(difference(R"({"a":1})", R"({"a":1,"b":2})"), R"("b" was nothing and is 2)");
  EXPECT_EQ(difference(R"({"a":1,"b":2})", R"({"a":1})"), R"("b" was 2 and is nothing)");
}

}  // namespace
}  // namespace nibblecore::tb
