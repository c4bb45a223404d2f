// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/manifest_round_trip.hpp"

#include <optional>
#include <string>
#include <tuple>

#include "model/trace/manifest.hpp"
#include "model/trace/manifest_writer.hpp"
#include "tests/fuzz/fuzz_reader.hpp"

namespace nibblecore {
namespace {

bool same_tensor(const std::optional<TensorRef>& left, const std::optional<TensorRef>& right) {
  return left.has_value() == right.has_value() &&
         (!left || (left->file == right->file && left->tensor == right->tensor));
}

auto plain_fields(const GemmRecord& record) {
  return std::tie(record.id, record.phase, record.layer, record.kind, record.m, record.n, record.k,
                  record.transpose_a, record.transpose_b, record.quantize, record.step, record.rank,
                  record.expert, record.count, record.batch);
}

bool same_record(const GemmRecord& left, const GemmRecord& right) {
  return plain_fields(left) == plain_fields(right) && same_tensor(left.a, right.a) &&
         same_tensor(left.b, right.b) && same_tensor(left.out, right.out);
}

}  // namespace

void require_manifest_round_trip(const std::vector<GemmRecord>& records) {
  std::string written;
  for (const GemmRecord& record : records) {
    require(record.macs() > 0, "multiply-accumulates don't overflow");
    written += manifest_line(record) + '\n';
  }
  const std::vector<GemmRecord> again = parse_manifest(written, "manifest as written");
  require(again.size() == records.size(), "as many records are read as were written");
  for (size_t i = 0; i < records.size(); ++i) {
    require(same_record(again[i], records[i]), "a record is read as it was written");
  }
}

}  // namespace nibblecore
