// SPDX-License-Identifier: Apache-2.0
#include "model/trace/safetensors_reader.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/trace/safetensors_bytes.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

static_assert(std::is_nothrow_move_constructible_v<SafetensorsFile>);
static_assert(!std::is_copy_constructible_v<SafetensorsFile>);

// Two tensors, listed against the order of their data.
constexpr const char* kHeader =
    R"({"__metadata__":{"made by":"hand"},)"
    R"("second":{"dtype":"BF16","shape":[2,1],"data_offsets":[3,7]},)"
    R"("first":{"dtype":"F4","shape":[3,2],"data_offsets":[0,3],"unknown":{"x":[1.5,null]}}}   )";
constexpr const char* kBuffer = "abcdefg";
constexpr size_t kBufferSize = 7;

std::string error_of(const std::string& bytes) {
  const TemporaryFolder folder;
  const auto path = folder.write("x.safetensors", bytes);
  std::string error = input_error([&] { const SafetensorsFile file(path); });
  if (!error.empty()) {
    EXPECT_THAT(error, HasSubstr(path.string()));
  }
  return error;
}

std::string tensor_error(const std::string& entry, const std::string& buffer = kBuffer) {
  return error_of(safetensors_bytes("{\"t\":" + entry + "}", buffer));
}

TEST(SafetensorsReader, GoodFile) {
  const TemporaryFolder folder;
  const SafetensorsFile file(folder.write("x", safetensors_bytes(kHeader, kBuffer)));
  EXPECT_THAT(file.metadata(), ElementsAre(Pair("made by", "hand")));
  ASSERT_EQ(file.tensors().size(), 2U);
  EXPECT_EQ(file.tensors()[0].name, "second");
  EXPECT_EQ(file.tensors()[1].name, "first");
  const Tensor& second = file.tensor("second");
  EXPECT_EQ(second.dtype, DType::kBf16);
  EXPECT_THAT(second.shape, ElementsAre(2, 1));
  EXPECT_EQ(second.bytes, 4);
  EXPECT_EQ(second.data[0], std::byte{'d'});
  EXPECT_EQ(file.tensor("first").data[0], std::byte{'a'});
  EXPECT_EQ(file.find("third"), nullptr);
  EXPECT_THAT(input_error([&] { file.tensor("third"); }),
              AllOf(HasSubstr(file.path()), HasSubstr("\"third\"")));
}

TEST(SafetensorsReader, MovedFileKeepsItsTensors) {
  const TemporaryFolder folder;
  SafetensorsFile source(folder.write("x", safetensors_bytes(kHeader, kBuffer)));
  const SafetensorsFile file = std::move(source);
  EXPECT_EQ(file.tensor("second").data[3], std::byte{'g'});
}

TEST(SafetensorsReader, ScalarsEmptyTensorsAndEmptyFilesAreLegal) {
  EXPECT_THAT(error_of(safetensors_bytes("{}", "")), IsEmpty());
  EXPECT_THAT(tensor_error(R"({"dtype":"F32","shape":[],"data_offsets":[0,4]})", "abcd"),
              IsEmpty());
  EXPECT_THAT(error_of(safetensors_bytes(
                  R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                  R"("e":{"dtype":"F32","shape":[0,4294967296,4294967296],"data_offsets":[0,0]},)"
                  R"("z":{"dtype":"F32","shape":[5,0],"data_offsets":[1,1]}})",
                  "a")),
              IsEmpty());
}

TEST(SafetensorsReader, EveryTruncationIsRefused) {
  const std::string bytes = safetensors_bytes(kHeader, kBuffer);
  ASSERT_THAT(error_of(bytes), IsEmpty());
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_NE(error_of(bytes.substr(0, length)), "") << length;
  }
  EXPECT_THAT(error_of(bytes + "h"), HasSubstr("the tensors end at 7 of a buffer of 8 bytes"));
}

// Sanitizers watch; an accepted file is read to its last byte.
TEST(SafetensorsReader, AnyChangedByteIsRefusedOrHarmless) {
  const TemporaryFolder folder;
  const std::string good = safetensors_bytes(kHeader, kBuffer);
  int refused = 0;
  for (size_t i = 0; i < good.size() - kBufferSize; ++i) {
    for (const int change : {1, 4, 32, 128}) {
      std::string bytes = good;
      bytes[i] = static_cast<char>(bytes[i] ^ change);
      const auto path = folder.write("x", bytes);
      const std::string error = input_error([&] {
        const SafetensorsFile file(path);
        for (const Tensor& tensor : file.tensors()) {
          EXPECT_EQ(tensor.bytes, tensor_bytes(tensor.dtype, tensor.shape, ""));
          EXPECT_TRUE(std::all_of(tensor.data, tensor.data + tensor.bytes,
                                  [](std::byte byte) { return byte <= std::byte{'g'}; }));
        }
      });
      refused += error.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 300);
}

TEST(SafetensorsReader, HeaderLengthIsNotTrusted) {
  EXPECT_THAT(error_of(""), HasSubstr("is empty"));
  EXPECT_THAT(error_of("1234567"), AllOf(HasSubstr("offset 0"), HasSubstr("has 7 bytes")));
  EXPECT_THAT(error_of(little_endian(3) + "{}"),
              AllOf(HasSubstr("offset 0"), HasSubstr("length 3 is more than the 2 bytes")));
  EXPECT_THAT(error_of(little_endian(UINT64_MAX) + "{}"), HasSubstr("18446744073709551615"));
  EXPECT_THAT(error_of(little_endian(uint64_t{1} << 63) + "{}"), HasSubstr("9223372036854775808"));
  EXPECT_THAT(error_of(little_endian(0)), HasSubstr("does not start with '{'"));
}

TEST(SafetensorsReader, HeaderOverTheFormatsLimitIsRefusedUnread) {
  const TemporaryFolder folder;
  const auto path = folder.write("x", little_endian(kSafetensorsHeaderLimit + 1) + "{}");
  std::filesystem::resize_file(path, 8 + kSafetensorsHeaderLimit + 1);
  EXPECT_THAT(input_error([&] { const SafetensorsFile file(path); }),
              HasSubstr("more than the format's limit of 100000000"));
}

TEST(SafetensorsReader, HeaderIsOneJsonObject) {
  EXPECT_THAT(error_of(safetensors_bytes(" {}", "")), HasSubstr("offset 8"));
  EXPECT_THAT(error_of(safetensors_bytes("[]", "")), HasSubstr("offset 8"));
  EXPECT_THAT(error_of(safetensors_bytes("{}x", "")), HasSubstr("offset 10: not valid JSON"));
  EXPECT_THAT(error_of(safetensors_bytes("{\"\xff\":1}", "")), HasSubstr("not valid JSON"));
  EXPECT_THAT(error_of(safetensors_bytes("{\"a\":" + std::string(50'000, '['), "")),
              HasSubstr("too deep"));
}

TEST(SafetensorsReader, DuplicateKeysAreNamed) {
  const std::string entry = R"({"dtype":"U8","shape":[7],"data_offsets":[0,7]})";
  EXPECT_THAT(error_of(safetensors_bytes("{\"t\":" + entry + ",\"t\":" + entry + "}", kBuffer)),
              HasSubstr("duplicate key \"t\""));
  EXPECT_THAT(tensor_error(R"({"dtype":"U8","shape":[7],"data_offsets":[0,7],"shape":[7]})"),
              HasSubstr("duplicate key \"shape\""));
  EXPECT_THAT(error_of(safetensors_bytes(R"({"__metadata__":{"a":"1","a":"2"}})", "")),
              HasSubstr("duplicate key \"a\""));
}

TEST(SafetensorsReader, MetadataMapsStringsToStrings) {
  for (const char* header : {R"({"__metadata__":{"a":1}})", R"({"__metadata__":["a"]})",
                             R"({"__metadata__":null})", R"({"__metadata__":{"a":{"b":"c"}}})"}) {
    EXPECT_THAT(error_of(safetensors_bytes(header, "")), HasSubstr("field \"__metadata__\""))
        << header;
  }
}

struct BadEntry {
  const char* entry;
  const char* field;
  const char* reason;
};

class SafetensorsBadEntry : public testing::TestWithParam<BadEntry> {};

TEST_P(SafetensorsBadEntry, IsRefusedNamingTensorFieldAndReason) {
  EXPECT_THAT(
      tensor_error(GetParam().entry),
      AllOf(HasSubstr("tensor \"t\""), HasSubstr(GetParam().field), HasSubstr(GetParam().reason)));
}

INSTANTIATE_TEST_SUITE_P(
    Fields, SafetensorsBadEntry,
    testing::Values(
        BadEntry{"7", "", "not an object"}, BadEntry{"null", "", "not an object"},
        BadEntry{R"({"shape":[7],"data_offsets":[0,7]})", "\"dtype\"", "missing"},
        BadEntry{R"({"dtype":"U8","data_offsets":[0,7]})", "\"shape\"", "missing"},
        BadEntry{R"({"dtype":"U8","shape":[7]})", "\"data_offsets\"", "missing"},
        BadEntry{R"({"dtype":"U9","shape":[7],"data_offsets":[0,7]})", "\"dtype\"", "\"U9\""},
        BadEntry{R"({"dtype":8,"shape":[7],"data_offsets":[0,7]})", "\"dtype\"", "8 is not"},
        BadEntry{R"({"dtype":"U8","shape":7,"data_offsets":[0,7]})", "\"shape\"", "not an array"},
        BadEntry{R"({"dtype":"U8","shape":[1,-7],"data_offsets":[0,7]})", "\"shape\"",
                 "entry 1 is -7"},
        BadEntry{R"({"dtype":"U8","shape":[7.0],"data_offsets":[0,7]})", "\"shape\"", "entry 0"},
        BadEntry{R"({"dtype":"U8","shape":["7"],"data_offsets":[0,7]})", "\"shape\"", "\"7\""},
        BadEntry{R"({"dtype":"U8","shape":[[7]],"data_offsets":[0,7]})", "\"shape\"", "[7]"},
        BadEntry{R"({"dtype":"U8","shape":[18446744073709551615],"data_offsets":[0,7]})",
                 "\"shape\"", "18446744073709551615"},
        BadEntry{R"({"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]})",
                 "\"shape\"", "does not fit 64 bits"},
        BadEntry{R"({"dtype":"F64","shape":[2305843009213693952],"data_offsets":[0,0]})",
                 "\"shape\"", "does not fit 64 bits"},
        BadEntry{R"({"dtype":"F4","shape":[13],"data_offsets":[0,7]})", "\"shape\"", "52 bits"},
        BadEntry{R"({"dtype":"F6_E2M3","shape":[9],"data_offsets":[0,7]})", "\"shape\"", "54 bits"},
        BadEntry{R"({"dtype":"U8","shape":[7],"data_offsets":[0]})", "\"data_offsets\"",
                 "1 entries"},
        BadEntry{R"({"dtype":"U8","shape":[7],"data_offsets":[0,7,7]})", "\"data_offsets\"",
                 "3 entries"},
        BadEntry{R"({"dtype":"U8","shape":[7],"data_offsets":[-1,6]})", "\"data_offsets\"", "-1"},
        BadEntry{R"({"dtype":"U8","shape":[7],"data_offsets":[0,7.5]})", "\"data_offsets\"",
                 "7.5E0"},
        BadEntry{R"({"dtype":"U8","shape":[7],"data_offsets":[7,0]})", "\"data_offsets\"",
                 "ends before it begins"},
        BadEntry{R"({"dtype":"U8","shape":[8],"data_offsets":[0,8]})", "\"data_offsets\"",
                 "leaves the buffer of 7 bytes"},
        BadEntry{
            R"({"dtype":"U8","shape":[1],"data_offsets":[9223372036854775806,9223372036854775807]})",
            "\"data_offsets\"", "leaves the buffer"},
        BadEntry{R"({"dtype":"BF16","shape":[3],"data_offsets":[0,7]})", "\"data_offsets\"",
                 "spans 7 bytes, [3] of BF16 takes 6"},
        BadEntry{R"({"dtype":"U8","shape":[6],"data_offsets":[1,7]})", "\"data_offsets\"",
                 "begins at 1 where 0 is expected: the buffer has a hole"}));

std::string two_tensors(int first_begin, int first_end, int second_begin, int second_end) {
  const auto entry = [](const char* name, int begin, int end) {
    return std::string("\"") + name + "\":{\"dtype\":\"U8\",\"shape\":[" +
           std::to_string(end - begin) + "],\"data_offsets\":[" + std::to_string(begin) + "," +
           std::to_string(end) + "]}";
  };
  return safetensors_bytes(
      "{" + entry("p", first_begin, first_end) + "," + entry("q", second_begin, second_end) + "}",
      kBuffer);
}

TEST(SafetensorsReader, BufferIsCoveredExactlyOnce) {
  EXPECT_THAT(error_of(two_tensors(0, 3, 3, 7)), IsEmpty());
  EXPECT_THAT(error_of(two_tensors(3, 7, 0, 3)), IsEmpty());
  EXPECT_THAT(error_of(two_tensors(0, 4, 3, 7)),
              AllOf(HasSubstr("tensor \"q\""), HasSubstr("overlap")));
  EXPECT_THAT(error_of(two_tensors(0, 7, 0, 7)), HasSubstr("overlap"));
  EXPECT_THAT(error_of(two_tensors(0, 7, 2, 2)), HasSubstr("overlap"));
  EXPECT_THAT(error_of(two_tensors(0, 3, 4, 7)),
              AllOf(HasSubstr("tensor \"q\""), HasSubstr("hole")));
  EXPECT_THAT(error_of(two_tensors(0, 3, 3, 6)), HasSubstr("end at 6 of a buffer of 7"));
}

}  // namespace
}  // namespace nibblecore
