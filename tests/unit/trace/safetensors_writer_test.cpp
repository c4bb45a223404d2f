// SPDX-License-Identifier: Apache-2.0
#include "model/trace/safetensors_writer.hpp"

#include <cstddef>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/trace/safetensors_reader.hpp"
#include "tests/unit/trace/safetensors_bytes.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kData = "abcdefghijkl";

Tensor tensor_of(const std::string& name, DType dtype, const std::vector<int64_t>& shape,
                 int64_t first_byte = 0) {
  const auto* data = static_cast<const std::byte*>(static_cast<const void*>(kData));
  return {name, dtype, shape, data + first_byte, tensor_bytes(dtype, shape, "")};
}

TEST(SafetensorsWriter, BytesAreTheFormatsAndInTheGivenOrder) {
  const TemporaryFolder folder;
  write_safetensors(folder.path() / "x",
                    {tensor_of("zz", DType::kU8, {3}), tensor_of("a", DType::kBf16, {1, 2}, 4)},
                    {{"k\n", "v"}});
  std::string header =
      R"({"__metadata__":{"k\n":"v"},"zz":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},)"
      R"("a":{"dtype":"BF16","shape":[1,2],"data_offsets":[3,7]}})";
  header.resize(144, ' ');
  EXPECT_EQ(read_bytes(folder.path() / "x"), safetensors_bytes(header, "abcefgh"));
}

TEST(SafetensorsWriter, ReaderGivesBackWhatWasWritten) {
  const TemporaryFolder folder;
  std::vector<Tensor> tensors{
      tensor_of("", DType::kF32, {}), tensor_of("empty", DType::kF64, {0, 9}),
      tensor_of("\xc3\xa9 \"\\/\x01", DType::kF4, {2, 3}, 5), tensor_of("last", DType::kC64, {1})};
  tensors[1].data = nullptr;
  const std::map<std::string, std::string> metadata{{"", "\xe2\x82\xac"}, {"format", "pt"}};
  write_safetensors(folder.path() / "x", tensors, metadata);
  const SafetensorsFile file(folder.path() / "x");
  EXPECT_EQ(file.metadata(), metadata);
  ASSERT_EQ(file.tensors().size(), tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& written = tensors[i];
    const Tensor& read = file.tensors()[i];
    EXPECT_EQ(read.name, written.name);
    EXPECT_EQ(read.dtype, written.dtype);
    EXPECT_EQ(read.shape, written.shape);
    ASSERT_EQ(read.bytes, written.bytes);
    EXPECT_TRUE(std::equal(read.data, read.data + read.bytes, written.data)) << written.name;
  }
}

TEST(SafetensorsWriter, HeaderIsPaddedToEightBytes) {
  const TemporaryFolder folder;
  for (const char* name : {"a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh"}) {
    write_safetensors(folder.path() / "x", {tensor_of(name, DType::kU8, {1})});
    const std::string bytes = read_bytes(folder.path() / "x");
    EXPECT_EQ((bytes.size() - 1) % 8, 0U) << name;
    EXPECT_EQ(SafetensorsFile(folder.path() / "x").tensor(name).data[0], std::byte{'a'});
  }
  EXPECT_THAT(folder.entries(), ElementsAre("x"));
}

TEST(SafetensorsWriter, NoTensorsMakeALegalFile) {
  const TemporaryFolder folder;
  write_safetensors(folder.path() / "x", {});
  EXPECT_EQ(read_bytes(folder.path() / "x"), safetensors_bytes("{}      ", ""));
}

TEST(SafetensorsWriter, BadTensorsAreRefusedAndNothingIsLeft) {
  const TemporaryFolder folder;
  const auto error_of = [&](const std::vector<Tensor>& tensors) {
    return input_error([&] { write_safetensors(folder.path() / "x", tensors); });
  };
  const Tensor good = tensor_of("t", DType::kU8, {3});
  Tensor short_tensor = good;
  short_tensor.bytes = 2;
  Tensor negative = good;
  negative.shape = {-3};
  EXPECT_THAT(error_of({good, good}), HasSubstr("duplicate key \"t\""));
  EXPECT_THAT(error_of({tensor_of("__metadata__", DType::kU8, {1})}), HasSubstr("reserved"));
  EXPECT_THAT(error_of({tensor_of("\xff", DType::kU8, {1})}), HasSubstr("not valid JSON"));
  EXPECT_THAT(error_of({short_tensor}),
              AllOf(HasSubstr("tensor \"t\""), HasSubstr("2 bytes are not what [3] of U8 takes")));
  EXPECT_THAT(error_of({negative}), HasSubstr("negative entry"));
  EXPECT_THAT(folder.entries(), IsEmpty());
}

TEST(SafetensorsWriter, FailureLeavesNothingBehind) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "taken");
  const std::vector<Tensor> tensors{tensor_of("t", DType::kU8, {3})};
  EXPECT_THAT(input_error([&] { write_safetensors(folder.path() / "missing" / "x", tensors); }),
              HasSubstr("missing/x: cannot write"));
  EXPECT_THAT(input_error([&] { write_safetensors(folder.path() / "taken", tensors); }),
              HasSubstr("taken: cannot write"));
  EXPECT_THAT(folder.entries(), ElementsAre("taken"));
}

}  // namespace
}  // namespace nibblecore
