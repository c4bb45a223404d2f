// SPDX-License-Identifier: Apache-2.0
#include "model/workload/phase_writer.hpp"

#include <tuple>

#include "model/common/checked.hpp"

namespace nibblecore {

PhaseWriter::PhaseWriter(const std::string& phase, Workload& workload) : workload_(workload) {
  totals_.phase = phase;
}

void PhaseWriter::add(const Product& product, GemmKind kind, int64_t rows) {
  GemmRecord record;
  record.id = static_cast<int64_t>(workload_.records.size());
  record.phase = totals_.phase;
  record.layer = product.layer;
  record.kind = kind;
  switch (kind) {
    case GemmKind::kFprop:
      std::tie(record.m, record.n, record.k) = std::tuple(rows, product.out, product.in);
      break;
    case GemmKind::kDgrad:
      std::tie(record.m, record.n, record.k) = std::tuple(rows, product.in, product.out);
      break;
    case GemmKind::kWgrad:
      std::tie(record.m, record.n, record.k) = std::tuple(product.out, product.in, rows);
      break;
  }
  std::tie(record.transpose_a, record.transpose_b) = usual_transposes(kind);
  record.quantize = product.quantize;
  record.count = product.count;
  record.batch = product.batch;
  add_macs(record);
  workload_.records.push_back(record);
  ++totals_.records;
}

void PhaseWriter::add_macs(const GemmRecord& record) {
  const std::string place = "multiply-accumulates of " + record.phase + ", " + record.layer;
  int64_t macs = 1;
  for (const int64_t factor : {record.m, record.n, record.k, record.count, record.batch}) {
    macs = checked_multiply(macs, factor, place);
  }
  int64_t& total = record.kind == GemmKind::kFprop   ? totals_.fprop_macs
                   : record.kind == GemmKind::kDgrad ? totals_.dgrad_macs
                                                     : totals_.wgrad_macs;
  total = checked_add(total, macs, place);
  // So that macs() of the totals fits too.
  checked_add(checked_add(totals_.fprop_macs, totals_.dgrad_macs, place), totals_.wgrad_macs,
              place);
}

void PhaseWriter::finish(int64_t tokens, const RowCounts& rows, int64_t attention_macs) {
  totals_.tokens = tokens;
  totals_.rows = total_rows(rows);
  for (const auto& [size, passes] : rows) {
    totals_.passes += passes;
  }
  totals_.attention_macs = attention_macs;
  workload_.phases.push_back(totals_);
}

}  // namespace nibblecore
