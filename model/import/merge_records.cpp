// SPDX-License-Identifier: Apache-2.0
#include "model/import/merge_records.hpp"

#include <map>
#include <string>
#include <tuple>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"

namespace nibblecore {
namespace {

auto key_of(const GemmRecord& record) {
  return std::tuple(record.phase, record.layer, record.kind, record.m, record.n, record.k,
                    record.batch, record.transpose_a, record.transpose_b, record.quantize,
                    record.step, record.rank, record.expert);
}

// Whether `record` may stand for `more` further GEMMs.
bool has_room(const GemmRecord& record, int64_t more) {
  try {
    int64_t macs = checked_add(record.count, more, "count");
    for (const int64_t factor : {record.m, record.n, record.k, record.batch}) {
      macs = checked_multiply(macs, factor, "count");
    }
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

std::vector<GemmRecord> merge_records(std::vector<GemmRecord> records, Merge merge) {
  std::vector<GemmRecord> merged;
  std::map<decltype(key_of(GemmRecord{})), size_t> first;
  for (GemmRecord& record : records) {
    if (merge != Merge::kNone) {
      const auto [position, is_new] = first.try_emplace(key_of(record), merged.size());
      if (!is_new && has_room(merged[position->second], record.count)) {
        merged[position->second].count += record.count;
        continue;
      }
      position->second = merged.size();
    }
    record.id = static_cast<int64_t>(merged.size());
    merged.push_back(std::move(record));
  }
  return merged;
}

}  // namespace nibblecore
