// SPDX-License-Identifier: Apache-2.0
#include "model/trace/manifest.hpp"

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view kFull =
    R"({"id":7,"phase":"rollout.decode3","layer":"layers.0.q","gemm":"fprop","M":2,"N":3,"K":4,)"
    R"("a":["f.safetensors","x"],"ta":0,"b":["sub/g.safetensors","w"],"tb":1,"quantize":true,)"
    R"("out":["o.safetensors","y"],"step":5,"rank":0,"expert":11,"count":6,"batch":8,)"
    R"("future":{"anything":[1.5]}})";

std::string shape_only(const std::string& id, const std::string& gemm) {
  return R"({"id":)" + id + R"(,"phase":"train","layer":"l","gemm":")" + gemm +
         R"(","M":1,"N":1,"K":1,"quantize":false})";
}

std::vector<GemmRecord> read(const std::string& text) {
  const TemporaryFolder folder;
  folder.write(kManifestName, text);
  return read_manifest(folder.path());
}

std::string error_of(const std::string& text) {
  return input_error([&] { read(text); });
}

// `kFull` with its one `from` replaced, in the second line after a good one.
std::string error_with(const std::string& from, const std::string& to) {
  std::string line(kFull);
  const size_t position = line.find(from);
  EXPECT_NE(position, std::string::npos) << from;
  line.replace(position, from.size(), to);
  return error_of(shape_only("0", "fprop") + "\n" + line + "\n");
}

TEST(Manifest, EveryFieldOfARecord) {
  const std::vector<GemmRecord> records = read(std::string(kFull) + "\n");
  ASSERT_THAT(records, SizeIs(1));
  const GemmRecord& record = records[0];
  EXPECT_EQ(record.line, 1);
  EXPECT_EQ(record.id, 7);
  EXPECT_EQ(record.phase, "rollout.decode3");
  EXPECT_EQ(record.layer, "layers.0.q");
  EXPECT_EQ(record.kind, GemmKind::kFprop);
  EXPECT_EQ(record.m, 2);
  EXPECT_EQ(record.n, 3);
  EXPECT_EQ(record.k, 4);
  EXPECT_EQ(record.a->file, "f.safetensors");
  EXPECT_EQ(record.a->tensor, "x");
  EXPECT_EQ(record.b->file, "sub/g.safetensors");
  EXPECT_EQ(record.b->tensor, "w");
  EXPECT_EQ(record.out->tensor, "y");
  EXPECT_EQ(record.transpose_a, Transpose::kNo);
  EXPECT_EQ(record.transpose_b, Transpose::kYes);
  EXPECT_TRUE(record.quantize);
  EXPECT_EQ(record.step, 5);
  EXPECT_EQ(record.rank, 0);
  EXPECT_EQ(record.expert, 11);
  EXPECT_EQ(record.count, 6);
  EXPECT_EQ(record.batch, 8);
  EXPECT_EQ(record.macs(), 2 * 3 * 4 * 6 * 8);
}

TEST(Manifest, ShapeOnlyRecordsHaveDefaults) {
  const std::vector<GemmRecord> records = read(
      shape_only("1", "fprop") + "\n" + shape_only("2", "dgrad") + "\n" + shape_only("3", "wgrad"));
  ASSERT_THAT(records, SizeIs(3));
  EXPECT_FALSE(records[0].has_operands());
  EXPECT_EQ(records[0].count, 1);
  EXPECT_EQ(records[0].batch, 1);
  EXPECT_EQ(records[0].step, std::nullopt);
  EXPECT_EQ(records[0].transpose_b, Transpose::kYes);
  EXPECT_EQ(records[1].transpose_a, Transpose::kNo);
  EXPECT_EQ(records[1].transpose_b, Transpose::kNo);
  EXPECT_EQ(records[2].transpose_a, Transpose::kYes);
  EXPECT_EQ(records[2].line, 3);
}

TEST(Manifest, LineEndsOfAnySystemAndBlankLinesAtTheEnd) {
  EXPECT_THAT(read(shape_only("1", "fprop") + "\r\n" + shape_only("2", "fprop") + "\r\n"),
              SizeIs(2));
  EXPECT_THAT(read(shape_only("1", "fprop") + "\n\r\n \n"), SizeIs(1));
  EXPECT_THAT(error_of(shape_only("1", "fprop") + "\n\n" + shape_only("2", "fprop")),
              HasSubstr("gemms.jsonl:2"));
}

TEST(Manifest, WithoutARecordItIsRefused) {
  EXPECT_THAT(error_of(""), AllOf(HasSubstr("gemms.jsonl"), HasSubstr("is empty")));
  EXPECT_THAT(error_of(" \r\n\n"), HasSubstr("holds no GEMM"));
  const TemporaryFolder folder;
  EXPECT_THAT(input_error([&] { read_manifest(folder.path()); }),
              HasSubstr("gemms.jsonl: cannot open"));
}

TEST(Manifest, LinesThatAreNotObjectsAreRefused) {
  const std::string good = shape_only("1", "fprop") + "\n";
  EXPECT_THAT(error_of(good + "[]"), HasSubstr("gemms.jsonl:2: is [], not an object"));
  EXPECT_THAT(error_of(good + "{\"id\":2,}"), HasSubstr("gemms.jsonl:2, offset 8: not valid JSON"));
  EXPECT_THAT(error_of(good + std::string(kFull) + " {}"), HasSubstr("text follows"));
  EXPECT_THAT(error_of("{\"id\":1,\n\"phase\":\"train\"}"), HasSubstr("gemms.jsonl:1, offset"));
  EXPECT_THAT(error_with("\"N\":3", "\"M\":3"), HasSubstr("duplicate key \"M\""));
  EXPECT_THAT(error_with("1.5", "{\"x\":1,\"x\":2}"), HasSubstr("duplicate key \"x\""));
}

TEST(Manifest, EveryTruncatedLineIsRefused) {
  for (size_t length = 0; length < kFull.size(); ++length) {
    EXPECT_THAT(error_of(std::string(kFull.substr(0, length))), HasSubstr("gemms.jsonl")) << length;
  }
}

TEST(Manifest, IdsAreUnique) {
  EXPECT_THAT(error_of(shape_only("1", "fprop") + "\n" + shape_only("2", "fprop") + "\n" +
                       shape_only("1", "dgrad")),
              HasSubstr("gemms.jsonl:3, field \"id\": 1 was already used in line 1"));
}

struct BadField {
  const char* from;
  const char* to;
  const char* field;
  const char* reason;
};

class ManifestBadField : public testing::TestWithParam<BadField> {};

TEST_P(ManifestBadField, IsRefusedNamingLineFieldAndReason) {
  const BadField& bad = GetParam();
  EXPECT_THAT(error_with(bad.from, bad.to),
              AllOf(HasSubstr("gemms.jsonl:2"), HasSubstr(bad.field), HasSubstr(bad.reason)));
}

INSTANTIATE_TEST_SUITE_P(Missing, ManifestBadField,
                         testing::Values(BadField{"\"id\"", "\"-\"", "\"id\"", "missing"},
                                         BadField{"\"phase\"", "\"-\"", "\"phase\"", "missing"},
                                         BadField{"\"layer\"", "\"-\"", "\"layer\"", "missing"},
                                         BadField{"\"gemm\"", "\"-\"", "\"gemm\"", "missing"},
                                         BadField{"\"M\"", "\"-\"", "\"M\"", "missing"},
                                         BadField{"\"N\"", "\"-\"", "\"N\"", "missing"},
                                         BadField{"\"K\"", "\"-\"", "\"K\"", "missing"},
                                         BadField{"\"ta\"", "\"-\"", "\"ta\"", "missing"},
                                         BadField{"\"tb\"", "\"-\"", "\"tb\"", "missing"},
                                         BadField{"\"quantize\"", "\"-\"", "\"quantize\"",
                                                  "missing"},
                                         BadField{"\"a\"", "\"-\"", "\"a\"", "come in pairs"},
                                         BadField{"\"b\"", "\"-\"", "\"b\"", "come in pairs"}));

INSTANTIATE_TEST_SUITE_P(
    Types, ManifestBadField,
    testing::Values(BadField{"\"id\":7", "\"id\":\"7\"", "\"id\"", "\"7\""},
                    BadField{"\"id\":7", "\"id\":7.0", "\"id\"", "not a 64-bit integer"},
                    BadField{"\"id\":7", "\"id\":9223372036854775808", "\"id\"",
                             "9223372036854775808"},
                    BadField{"\"rollout.decode3\"", "3", "\"phase\"", "not a string"},
                    BadField{"\"rollout.decode3\"", "\"\"", "\"phase\"", "not a string"},
                    BadField{"\"layers.0.q\"", "null", "\"layer\"", "not a string"},
                    BadField{"\"fprop\"", "\"Fprop\"", "\"gemm\"", "\"Fprop\", not fprop"},
                    BadField{"\"fprop\"", "1", "\"gemm\"", "not a string"},
                    BadField{"true", "1", "\"quantize\"", "not true or false"},
                    BadField{"true", "\"true\"", "\"quantize\"", "not true or false"}));

INSTANTIATE_TEST_SUITE_P(
    Numbers, ManifestBadField,
    testing::Values(BadField{"\"M\":2", "\"M\":0", "\"M\"", "0, not a positive"},
                    BadField{"\"N\":3", "\"N\":-3", "\"N\"", "-3, not a positive"},
                    BadField{"\"K\":4", "\"K\":4.0", "\"K\"", "not a positive"},
                    BadField{"\"K\":4", "\"K\":1e3", "\"K\"", "not a positive"},
                    BadField{"\"K\":4", "\"K\":18446744073709551617", "\"K\"", "not a positive"},
                    BadField{"\"count\":6", "\"count\":0", "\"count\"", "not a positive"},
                    BadField{"\"batch\":8", "\"batch\":-1", "\"batch\"", "not a positive"},
                    BadField{"\"batch\":8", "\"batch\":null", "\"batch\"", "not a positive"},
                    BadField{"\"step\":5", "\"step\":-1", "\"step\"", "not a non-negative"},
                    BadField{"\"rank\":0", "\"rank\":\"0\"", "\"rank\"", "not a non-negative"},
                    BadField{"\"expert\":11", "\"expert\":1.5", "\"expert\"", "not a non-negative"},
                    BadField{"\"ta\":0", "\"ta\":2", "\"ta\"", "2, not 0 or 1"},
                    BadField{"\"tb\":1", "\"tb\":true", "\"tb\"", "true, not 0 or 1"},
                    BadField{"\"tb\":1", "\"tb\":-1", "\"tb\"", "not 0 or 1"}));

INSTANTIATE_TEST_SUITE_P(
    Overflow, ManifestBadField,
    testing::Values(
        BadField{"\"M\":2,\"N\":3", "\"M\":4294967296,\"N\":4294967296", "M * N * K",
                 "does not fit 64 bits"},
        BadField{"\"K\":4", "\"K\":9223372036854775807", "M * N * K", "does not fit"},
        BadField{"\"batch\":8", "\"batch\":9223372036854775807", "batch", "does not fit"},
        BadField{"\"count\":6", "\"count\":9223372036854775807", "count", "does not fit"}));

INSTANTIATE_TEST_SUITE_P(
    Tensors, ManifestBadField,
    testing::Values(
        BadField{R"(["f.safetensors","x"])", "\"x\"", "\"a\"", "not [file, tensor]"},
        BadField{R"(["f.safetensors","x"])", "null", "\"a\"", "not [file, tensor]"},
        BadField{R"(["f.safetensors","x"])", R"(["x"])", "\"a\"", "not [file, tensor]"},
        BadField{R"(["f.safetensors","x"])", R"(["f","x","y"])", "\"a\"", "not [file, tensor]"},
        BadField{R"(["f.safetensors","x"])", R"([1,"x"])", "\"a\"", "not [file, tensor]"},
        BadField{R"(["f.safetensors","x"])", R"(["f",{}])", "\"a\"", "not [file, tensor]"},
        BadField{"f.safetensors", "/etc/passwd", "\"a\"", "outside the trace folder"},
        BadField{"sub/g", "../g", "\"b\"", "outside the trace folder"},
        BadField{"sub/g", "sub/../../g", "\"b\"", "outside the trace folder"},
        BadField{"o.safetensors", "..", "\"out\"", "outside the trace folder"},
        BadField{"f.safetensors", "", "\"a\"", "not a file name"},
        BadField{"f.safetensors", "f\\u0000", "\"a\"", "not a file name"}));

TEST(Manifest, TwoDotsInsideANameAreNoParent) {
  std::string line(kFull);
  line.replace(line.find("f.safetensors"), 1, "f..");
  EXPECT_THAT(error_of(line), IsEmpty());
}

TEST(Manifest, NamesAreOfBoundedLength) {
  EXPECT_THAT(error_with("layers.0.q", std::string(kLongestName, 'x')), IsEmpty());
  EXPECT_THAT(error_with("layers.0.q", std::string(kLongestName + 1, 'x')),
              AllOf(HasSubstr("gemms.jsonl:2, field \"layer\""), HasSubstr("longer than 1024")));
}

}  // namespace
}  // namespace nibblecore
