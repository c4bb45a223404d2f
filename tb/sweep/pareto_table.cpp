// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/pareto_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tb/replay/text_table.hpp"
#include "tb/sweep/cell_text.hpp"

namespace nibblecore::tb {
namespace {

enum class Cost { kCycles, kBits };

/// Rows of one front, the cheapest first.
void add_front(std::vector<const SweepRow*> rows, Cost by, std::string& text) {
  if (rows.empty()) {
    return;
  }
  const auto cost = [&](const SweepRow& row) {
    return by == Cost::kCycles ? static_cast<double>(*row.total.cycles)
                               : row.storage.bits_per_value().value_or(0);
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const SweepRow* one, const SweepRow* other) {
    return cost(*one) < cost(*other);
  });
  TextTable table({"format", "preset", "corrections", "residual"},
                  {"cycles", "bits/value", "SNR dB"});
  for (const SweepRow* row : rows) {
    std::vector<std::string> cells = point_cells(row->point);
    cells.push_back(cycles_text(row->total));
    cells.push_back(decimals(row->storage.bits_per_value(), 4));
    cells.push_back(decimals(row->total.noise.decibels(), 2));
    table.add_row(std::move(cells));
  }
  text += fmt::format("\nPareto front, SNR against {}:\n{}",
                      by == Cost::kCycles ? "cycles" : "bits per value (rows without cycles)",
                      table.text());
}

}  // namespace

std::string pareto_table(const std::vector<SweepRow>& rows) {
  std::vector<const SweepRow*> by_cycles;
  std::vector<const SweepRow*> by_bits;
  for (const SweepRow& row : rows) {
    if (row.is_pareto) {
      (row.total.cycles ? by_cycles : by_bits).push_back(&row);
    }
  }
  std::string text;
  add_front(by_cycles, Cost::kCycles, text);
  add_front(by_bits, Cost::kBits, text);
  return text;
}

}  // namespace nibblecore::tb
