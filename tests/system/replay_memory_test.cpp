// SPDX-License-Identifier: Apache-2.0
// The memory of a replay is that of its largest product, not of its trace.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model/trace/manifest_writer.hpp"
#include "model/trace/tensor.hpp"
#include "tests/system/support/program.hpp"
#include "tests/system/support/report.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kMebibyte = 1 << 20;
constexpr int64_t kK = 2048;
constexpr int64_t kN = 1024;
constexpr int64_t kM = 16;

/// A trace of `gemms` products [kM, kK] x [kK, kN], each with operands of its own in one sparse
/// file: all zero but for the first activations, and large.
class SparseTrace {
 public:
  explicit SparseTrace(int gemms) {
    std::string header = "{";
    std::vector<GemmRecord> records;
    records.reserve(static_cast<size_t>(gemms));
    int64_t end = 0;
    const auto add_tensor = [&](const std::string& name, int64_t rows) {
      header += header.size() == 1 ? "\"" : ",\"";
      header += name;
      header += R"(":{"dtype":"F32","shape":)" + shape_text({rows, kK});
      header += R"(,"data_offsets":)" + shape_text({end, end + rows * kK * 4}) + "}";
      end += rows * kK * 4;
    };
    for (int i = 0; i < gemms; ++i) {
      GemmRecord record;
      record.id = i;
      record.phase = "train";
      record.layer = "l";
      record.m = kM;
      record.n = kN;
      record.k = kK;
      record.a = {"t.safetensors", "x" + std::to_string(i)};
      record.b = {"t.safetensors", "w" + std::to_string(i)};
      record.transpose_b = Transpose::kYes;
      record.quantize = true;
      add_tensor(record.a->tensor, kM);
      add_tensor(record.b->tensor, kN);
      records.push_back(std::move(record));
    }
    header += "}";
    write_manifest(folder.path(), records);
    const uint64_t length = header.size();
    std::ofstream file(folder.path() / "t.safetensors", std::ios::binary);
    file.write(static_cast<const char*>(static_cast<const void*>(&length)), sizeof length);
    file << header;
    const float value = 1.5F;
    file.write(static_cast<const char*>(static_cast<const void*>(&value)), sizeof value);
    file.close();
    bytes = static_cast<int64_t>(sizeof length + length) + end;
    std::filesystem::resize_file(folder.path() / "t.safetensors", static_cast<uintmax_t>(bytes));
  }

  TemporaryFolder folder;
  int64_t bytes = 0;
};

ProgramRun run(const Arguments& arguments) {
  // Freed memory that the address sanitizer holds back would count.
  return run_program_through(R"(ASAN_OPTIONS="$ASAN_OPTIONS:quarantine_size_mb=1" exec "$@")",
                             arguments);
}

ProgramRun replay(const SparseTrace& trace, const std::string& out) {
  return run({"replay", trace.folder.path().string(), "--fidelity", "numeric", "-o",
              (trace.folder.path() / out).string(), "--threads", "1"});
}

TEST(ReplayMemory, IsThatOfTheLargestProduct) {
  const SparseTrace one(1);
  const SparseTrace many(32);
  ASSERT_GT(many.bytes, 256 * kMebibyte);
  const ProgramRun small = replay(one, "out");
  const ProgramRun large = replay(many, "out");
  ASSERT_EQ(small.exit_code, 0) << small.err;
  ASSERT_EQ(large.exit_code, 0) << large.err;
  EXPECT_EQ(Report(many.folder.path() / "out").gemms().size(), 32U);
  // docs/resume.md: 20 bytes an element of its operands and 32 a result, beside the program, which
  // a sanitizer makes ten times as large.
  const ProgramRun idle = run({"list", "formats"});
  ASSERT_EQ(idle.exit_code, 0) << idle.err;
  const int64_t bound = idle.peak_bytes + 20 * (kM + kN) * kK + 32 * kM * kN + 16 * kMebibyte;
  EXPECT_LT(small.peak_bytes, bound);
  EXPECT_LT(large.peak_bytes, bound);
  // What 31 more products add is less than the operands of two.
  EXPECT_LT(large.peak_bytes - small.peak_bytes, 2 * (kM + kN) * kK * 4);
}

}  // namespace
}  // namespace nibblecore
