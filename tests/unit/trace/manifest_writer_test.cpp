// SPDX-License-Identifier: Apache-2.0
#include "model/trace/manifest_writer.hpp"

#include <filesystem>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/trace/manifest.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

GemmRecord shape_only() {
  GemmRecord record;
  record.id = 3;
  record.phase = "train";
  record.layer = "layers.0.\"q\"";
  record.kind = GemmKind::kWgrad;
  record.m = 5;
  record.n = 6;
  record.k = 7;
  record.transpose_a = Transpose::kYes;
  record.quantize = true;
  return record;
}

GemmRecord full() {
  GemmRecord record = shape_only();
  record.id = int64_t{1} << 53;
  record.kind = GemmKind::kFprop;
  record.transpose_a = Transpose::kNo;
  record.transpose_b = Transpose::kYes;
  record.a = TensorRef{"a.safetensors", "x"};
  record.b = TensorRef{"b.safetensors", "w"};
  record.out = TensorRef{"o.safetensors", "y"};
  record.quantize = false;
  record.step = 0;
  record.rank = 1;
  record.expert = 2;
  record.count = 8;
  record.batch = 9;
  return record;
}

TEST(ManifestWriter, LeavesOutWhatHoldsItsDefault) {
  EXPECT_EQ(manifest_line(shape_only()),
            R"({"id":3,"phase":"train","layer":"layers.0.\"q\"","gemm":"wgrad","M":5,"N":6,"K":7,)"
            R"("ta":1,"tb":0,"quantize":true})");
}

TEST(ManifestWriter, WritesWhatTheReaderTakes) {
  const TemporaryFolder folder;
  const std::filesystem::path trace = folder.path() / "deep" / "trace";
  write_manifest(trace, {shape_only(), full()});
  const std::vector<GemmRecord> read = read_manifest(trace);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(manifest_line(read[0]), manifest_line(shape_only()));
  EXPECT_EQ(manifest_line(read[1]), manifest_line(full()));
  EXPECT_EQ(read[1].line, 2);
  EXPECT_EQ(read[1].expert, 2);
  EXPECT_EQ(read[1].out->tensor, "y");
}

TEST(ManifestWriter, NamesAFolderThatCannotBeMade) {
  const TemporaryFolder folder;
  folder.write("file", "");
  EXPECT_THROW(write_manifest(folder.path() / "file" / "trace", {shape_only()}), InputError);
}

}  // namespace
}  // namespace nibblecore
