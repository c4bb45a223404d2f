// SPDX-License-Identifier: Apache-2.0
#include "model/trace/trace.hpp"

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/trace/manifest.hpp"
#include "model/trace/safetensors_writer.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Row-major matrices whose values tell their places: [2,3], [3,4] and so on hold 0, 1, 2, ...
class TraceTest : public testing::Test {
 protected:
  TraceTest() {
    const auto tensor = [this](const char* name, DType dtype, const std::vector<int64_t>& shape) {
      const void* const data =
          dtype == DType::kBf16 ? static_cast<const void*>(bf16_.data()) : floats_.data();
      return Tensor{name, dtype, shape, static_cast<const std::byte*>(data),
                    tensor_bytes(dtype, shape, "")};
    };
    for (int i = 0; i < 64; ++i) {
      const float value = static_cast<float>(i);
      uint32_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      floats_.push_back(value);
      bf16_.push_back(static_cast<uint16_t>(bits >> 16));
    }
    write_safetensors(
        folder_.path() / "t.safetensors",
        {tensor("odd", DType::kU8, {1}), tensor("2x3", DType::kF32, {2, 3}),
         tensor("3x2", DType::kBf16, {3, 2}), tensor("3x4", DType::kBf16, {3, 4}),
         tensor("4x3", DType::kF32, {4, 3}), tensor("5x2x3", DType::kBf16, {5, 2, 3}),
         tensor("5x3x4", DType::kF32, {5, 3, 4}), tensor("1x2x3", DType::kF32, {1, 2, 3}),
         tensor("6", DType::kF32, {6}), tensor("half", DType::kF16, {2, 3})});
  }

  // A record with M 2, N 4, K 3.
  static std::string line(const std::string& a, int ta, const std::string& b, int tb,
                          const std::string& more = "") {
    return R"({"id":0,"phase":"train","layer":"l","gemm":"fprop","M":2,"N":4,"K":3,"quantize":true,)"
           R"("a":["t.safetensors",")" +
           a + R"("],"ta":)" + std::to_string(ta) + R"(,"b":["t.safetensors",")" + b +
           R"("],"tb":)" + std::to_string(tb) + more + "}\n";
  }

  Trace open(const std::string& manifest) {
    folder_.write(kManifestName, manifest);
    return Trace(folder_.path());
  }

  std::string validation_error(const std::string& manifest) {
    const Trace trace = open(manifest);
    return input_error([&] { trace.validate(); });
  }

  std::filesystem::path path() const { return folder_.path(); }

 private:
  const TemporaryFolder folder_;
  std::vector<float> floats_;
  std::vector<uint16_t> bf16_;
};

std::vector<float> row(const MatrixView& view, int64_t index) {
  std::vector<float> values(static_cast<size_t>(view.k));
  load_row(view, index, values.data());
  return values;
}

TEST_F(TraceTest, OperandsRunAlongKHoweverTheyAreStored) {
  for (const int ta : {0, 1}) {
    for (const int tb : {0, 1}) {
      const Trace trace = open(line(ta == 0 ? "2x3" : "3x2", ta, tb == 0 ? "3x4" : "4x3", tb));
      trace.validate();
      const Operands operands = trace.operands(trace.records()[0]);
      ASSERT_EQ(operands.a.rows, 2);
      ASSERT_EQ(operands.a.k, 3);
      ASSERT_EQ(operands.b.rows, 4);
      ASSERT_EQ(operands.b.k, 3);
      EXPECT_EQ(operands.a.type, ta == 0 ? ValueType::kF32 : ValueType::kBf16);
      if (ta == 0) {
        EXPECT_THAT(row(operands.a, 0), ElementsAre(0, 1, 2));
        EXPECT_THAT(row(operands.a, 1), ElementsAre(3, 4, 5));
      } else {
        EXPECT_THAT(row(operands.a, 0), ElementsAre(0, 2, 4));
        EXPECT_THAT(row(operands.a, 1), ElementsAre(1, 3, 5));
      }
      if (tb == 0) {
        EXPECT_THAT(row(operands.b, 0), ElementsAre(0, 4, 8));
        EXPECT_THAT(row(operands.b, 3), ElementsAre(3, 7, 11));
      } else {
        EXPECT_THAT(row(operands.b, 0), ElementsAre(0, 1, 2));
        EXPECT_THAT(row(operands.b, 3), ElementsAre(9, 10, 11));
      }
    }
  }
}

TEST_F(TraceTest, BatchIndexPicksOneProduct) {
  const Trace trace = open(line("5x2x3", 0, "5x3x4", 0, ",\"batch\":5"));
  trace.validate();
  const GemmRecord& record = trace.records()[0];
  EXPECT_THAT(row(trace.operands(record, 0).a, 0), ElementsAre(0, 1, 2));
  EXPECT_THAT(row(trace.operands(record, 4).a, 1), ElementsAre(27, 28, 29));
  EXPECT_THAT(row(trace.operands(record, 4).b, 3), ElementsAre(51, 55, 59));
  EXPECT_THROW(trace.operands(record, 5), InternalError);
  EXPECT_THROW(trace.operands(record, -1), InternalError);
}

TEST_F(TraceTest, ReleasedOperandsAreReadAgain) {
  const Trace trace = open(line("5x2x3", 0, "5x3x4", 0, ",\"batch\":5"));
  const GemmRecord& record = trace.records()[0];
  const Operands operands = trace.operands(record, 4);
  EXPECT_THAT(row(operands.a, 1), ElementsAre(27, 28, 29));
  trace.release(record, 4);
  trace.release(record, 4);
  EXPECT_THAT(row(operands.a, 1), ElementsAre(27, 28, 29));
  EXPECT_THAT(row(operands.b, 3), ElementsAre(51, 55, 59));
  EXPECT_THROW(trace.release(record, 5), InternalError);
}

TEST_F(TraceTest, BatchOfOneMayHaveItsDimension) {
  const Trace trace = open(line("1x2x3", 0, "3x4", 0, ",\"batch\":1"));
  EXPECT_THAT(row(trace.operands(trace.records()[0]).a, 1), ElementsAre(3, 4, 5));
}

TEST_F(TraceTest, WrongShapesAreRefusedNamingLineTensorAndShapes) {
  EXPECT_THAT(validation_error(line("3x2", 0, "3x4", 0)),
              AllOf(HasSubstr("gemms.jsonl:1, field \"a\", tensor \"3x2\" of t.safetensors"),
                    HasSubstr("expected shape [2, 3], found [3, 2]")));
  EXPECT_THAT(validation_error(line("2x3", 1, "3x4", 0)),
              HasSubstr("expected shape [3, 2], found [2, 3]"));
  EXPECT_THAT(validation_error(line("2x3", 0, "4x3", 0)),
              AllOf(HasSubstr("field \"b\""), HasSubstr("expected shape [3, 4], found [4, 3]")));
  EXPECT_THAT(validation_error(line("2x3", 0, "3x4", 1)), HasSubstr("expected shape [4, 3]"));
  EXPECT_THAT(validation_error(line("6", 0, "3x4", 0)), HasSubstr("found [6]"));
  EXPECT_THAT(validation_error(line("2x3", 0, "5x3x4", 0, ",\"batch\":5")),
              HasSubstr("expected shape [5, 2, 3], found [2, 3]"));
  EXPECT_THAT(validation_error(line("5x2x3", 0, "3x4", 0)),
              HasSubstr("expected shape [2, 3], found [5, 2, 3]"));
}

TEST_F(TraceTest, OtherTypesAreRefused) {
  EXPECT_THAT(validation_error(line("half", 0, "3x4", 0)),
              AllOf(HasSubstr("gemms.jsonl:1"), HasSubstr("\"half\""),
                    HasSubstr("is F16, not F32 or BF16")));
}

TEST_F(TraceTest, MissingTensorsAndFilesAreRefused) {
  EXPECT_THAT(
      validation_error(line("nowhere", 0, "3x4", 0)),
      AllOf(HasSubstr("gemms.jsonl:1"), HasSubstr("\"nowhere\""), HasSubstr("not in the file")));
  std::string manifest = line("2x3", 0, "3x4", 0);
  manifest.replace(manifest.find("t.safetensors"), 1, "missing");
  EXPECT_THAT(validation_error(manifest), HasSubstr("missing.safetensors: cannot open"));
}

TEST_F(TraceTest, ValidationReachesTheLastRecord) {
  std::string second = line("2x3", 0, "2x3", 0);
  second.replace(second.find("\"id\":0"), 6, "\"id\":1");
  EXPECT_THAT(validation_error(line("2x3", 0, "3x4", 0) + second), HasSubstr("gemms.jsonl:2"));
}

TEST_F(TraceTest, ShapeOnlyRecordIsValidButHasNoOperands) {
  const Trace trace = open(
      R"({"id":0,"phase":"train","layer":"l","gemm":"dgrad","M":2,"N":4,"K":3,"quantize":true})");
  trace.validate();
  EXPECT_THAT(input_error([&] { trace.operands(trace.records()[0]); }),
              AllOf(HasSubstr("gemms.jsonl:1"), HasSubstr("no operands")));
}

TEST_F(TraceTest, FilesAreOpenedWhenNeededAndOnce) {
  const Trace trace = open(line("2x3", 0, "3x4", 0));
  const Operands before = trace.operands(trace.records()[0]);
  std::filesystem::remove(path() / "t.safetensors");
  EXPECT_EQ(trace.operands(trace.records()[0]).a.data, before.a.data);
  const Trace unopened = Trace(path());
  EXPECT_THAT(input_error([&] { unopened.validate(); }), HasSubstr("cannot open"));
}

TEST_F(TraceTest, ThreadsShareOneMapping) {
  const Trace trace = open(line("2x3", 0, "3x4", 0));
  std::vector<const void*> data(8);
  std::vector<std::thread> threads;
  threads.reserve(data.size());
  for (const void*& slot : data) {
    threads.emplace_back([&trace, &slot] { slot = trace.operands(trace.records()[0]).b.data; });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_THAT(data, testing::Each(trace.operands(trace.records()[0]).b.data));
}

}  // namespace
}  // namespace nibblecore
