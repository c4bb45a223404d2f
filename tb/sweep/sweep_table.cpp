// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/sweep_table.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tb/replay/share.hpp"
#include "tb/replay/text_table.hpp"
#include "tb/sweep/cell_text.hpp"
#include "tb/sweep/pareto_table.hpp"

namespace nibblecore::tb {
namespace {

std::string percent(int64_t part, int64_t whole) {
  return fmt::format("{:.2f}", 100 * share(part, whole));
}

/// The same for all rows: they come from the input.
std::vector<std::string> part_names(const std::vector<SweepRow>& rows) {
  std::vector<std::string> names;
  for (const SweepPart& part : rows.front().parts) {
    names.push_back(part.name);
  }
  return names;
}

TextTable make_table(SweepInputKind kind, const std::vector<std::string>& parts) {
  TextTable table({"format", "preset", "corrections", "residual"});
  const bool is_trace = kind == SweepInputKind::kTrace;
  std::vector<std::string> titles = is_trace
                                        ? std::vector<std::string>{"bits A", "bits B", "MAC/MAC"}
                                        : std::vector<std::string>{"bits"};
  titles.emplace_back("SNR dB");
  if (is_trace) {
    titles.insert(titles.end(), parts.begin(), parts.end());
  }
  for (const char* const title : {"rel. error", "gain", "cosine"}) {
    titles.emplace_back(title);
  }
  for (const char* const title :
       is_trace ? std::vector<const char*>{"cos A", "cos B", "uflow A %", "sat A %", "cycles"}
                : std::vector<const char*>{"uflow %", "sat %", "scale", "grid", "dead zone"}) {
    titles.emplace_back(title);
  }
  titles.emplace_back("front");
  for (std::string& title : titles) {
    table.add_column(std::move(title), TextTable::Align::kRight);
  }
  return table;
}

void append_trace_cells(const SweepPart& total, std::vector<std::string>& cells) {
  cells.push_back(decimals(total.a.agreement.cosine(), 5));
  cells.push_back(decimals(total.b.agreement.cosine(), 5));
  cells.push_back(percent(total.a.underflows, total.a.non_zero));
  cells.push_back(percent(total.a.saturations, total.a.non_zero));
  cells.push_back(cycles_text(total));
}

void append_tensor_cells(const SweepPart& total, std::vector<std::string>& cells) {
  cells.push_back(percent(total.a.underflows, total.a.non_zero));
  cells.push_back(percent(total.a.saturations, total.a.non_zero));
  const auto& parts = total.decomposition;
  cells.push_back(parts ? decimals(parts->share(parts->scale), 3) : "-");
  cells.push_back(parts ? decimals(parts->share(parts->grid), 3) : "-");
  cells.push_back(parts ? decimals(parts->share(parts->dead_zone), 4) : "-");
}

void add_row(SweepInputKind kind, const SweepRow& row, TextTable& table) {
  const bool is_trace = kind == SweepInputKind::kTrace;
  std::vector<std::string> cells = point_cells(row.point);
  if (is_trace) {
    cells.push_back(decimals(row.storage.a.bits_per_value(), 4));
    cells.push_back(decimals(row.storage.b.bits_per_value(), 4));
    cells.push_back(decimals(row.storage.macs_per_mac(), 3));
  } else {
    cells.push_back(decimals(row.storage.bits_per_value(), 4));
  }
  cells.push_back(decimals(row.total.noise.decibels(), 2));
  if (is_trace) {
    for (const SweepPart& part : row.parts) {
      cells.push_back(decimals(part.noise.decibels(), 2));
    }
  }
  cells.push_back(scientific(row.total.relative_error()));
  cells.push_back(decimals(row.total.agreement.gain(), 5));
  cells.push_back(decimals(row.total.agreement.cosine(), 5));
  if (is_trace) {
    append_trace_cells(row.total, cells);
  } else {
    append_tensor_cells(row.total, cells);
  }
  cells.emplace_back(row.is_pareto ? "*" : "");
  table.add_row(std::move(cells));
}

/// Each reason once, with how many rows have it.
std::string cycle_notes(const std::vector<SweepRow>& rows) {
  std::vector<std::pair<std::string, int>> notes;
  for (const SweepRow& row : rows) {
    if (row.cycles_note.empty()) {
      continue;
    }
    const auto found = std::find_if(notes.begin(), notes.end(), [&](const auto& note) {
      return note.first == row.cycles_note;
    });
    if (found != notes.end()) {
      ++found->second;
    } else {
      notes.emplace_back(row.cycles_note, 1);
    }
  }
  std::string text;
  for (const auto& [note, count] : notes) {
    text += fmt::format("no cycles ({} rows): {}\n", count, note);
  }
  return text.empty() ? text : "\n" + text;
}

std::string skipped_lines(const std::vector<SkippedPoint>& skipped) {
  std::string text;
  for (const SkippedPoint& each : skipped) {
    text += "skipped: " + point_text(each.point) + ": " + each.reason + "\n";
  }
  return text.empty() ? text : "\n" + text;
}

}  // namespace

std::string sweep_table(const SweepResult& result) {
  TextTable table = make_table(result.kind, part_names(result.rows));
  for (const SweepRow& row : result.rows) {
    add_row(result.kind, row, table);
  }
  return table.text() + cycle_notes(result.rows) + skipped_lines(result.skipped) +
         pareto_table(result.rows);
}

}  // namespace nibblecore::tb
