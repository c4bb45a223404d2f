// SPDX-License-Identifier: Apache-2.0
#include "model/import/gemm_csv.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"
#include "model/import/byte_source.hpp"
#include "model/import/csv_lines.hpp"
#include "model/import/merge_records.hpp"
#include "model/import/unquantized_layers.hpp"
#include "model/trace/manifest.hpp"

namespace nibblecore {
namespace {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) {
    return static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
  });
  return text;
}

// Columns of the header by what they hold.
struct Columns {
  std::optional<size_t> layer;
  size_t m = 0;
  size_t n = 0;
  size_t k = 0;
  size_t count = 0;
};

Columns read_header(const CsvLine& line) {
  std::map<std::string, size_t> found;
  for (size_t column = 0; column < line.fields.size(); ++column) {
    const std::string name = lower_case(line.fields[column]);
    if (name.find("ifmap") != std::string::npos || name.find("filter") != std::string::npos) {
      throw InputError(line.place,
                       "is the header of SCALE-Sim's convolution format; only its GEMM format "
                       "(Layer, M, N, K) can be imported");
    }
    if (!found.emplace(name, column).second) {
      throw InputError(line.place, "has the column " + in_quotes(name) + " twice");
    }
  }
  Columns columns;
  columns.count = line.fields.size();
  for (const auto& [name, target] :
       {std::pair<const char*, size_t*>{"m", &columns.m}, {"n", &columns.n}, {"k", &columns.k}}) {
    const auto column = found.find(name);
    if (column == found.end()) {
      throw InputError(line.place, std::string("is no header with the columns M, N and K: ") +
                                       in_quotes(name) + " is missing");
    }
    *target = column->second;
  }
  for (const char* const name : {"layer", "layer name"}) {
    if (found.count(name) != 0) {
      columns.layer = found.at(name);
    }
  }
  return columns;
}

int64_t positive(const CsvLine& line, size_t column, const char* name) {
  const std::string& text = line.fields[column];
  int64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size() || number < 1) {
    throw InputError(line.place + ", column " + name,
                     "is " + in_quotes(text) + ", not a positive 64-bit integer");
  }
  return number;
}

GemmRecord read_row(const CsvLine& line, const Columns& columns, int64_t row) {
  if (line.fields.size() != columns.count) {
    throw InputError(line.place, "has " + std::to_string(line.fields.size()) + " fields, not the " +
                                     std::to_string(columns.count) + " of the header");
  }
  GemmRecord record;
  record.layer = columns.layer ? line.fields[*columns.layer] : "row." + std::to_string(row);
  if (record.layer.empty() || record.layer.size() > kLongestName) {
    throw InputError(line.place + ", column Layer",
                     record.layer.empty() ? "is empty" : "is longer than 1024 bytes");
  }
  record.m = positive(line, columns.m, "M");
  record.n = positive(line, columns.n, "N");
  record.k = positive(line, columns.k, "K");
  const std::string macs = line.place + ", M * N * K";
  checked_multiply(checked_multiply(record.m, record.n, macs), record.k, macs);
  record.transpose_b = Transpose::kYes;
  return record;
}

}  // namespace

ImportedTrace import_gemm_csv(std::istream& file, const std::string& name,
                              const ImportOptions& options) {
  const UnquantizedLayers unquantized(options);
  ByteSource source(file, name);
  CsvLines lines(source);
  CsvLine line;
  if (!lines.next(line)) {
    throw InputError(name, "is empty");
  }
  const Columns columns = read_header(line);
  ImportedTrace trace;
  std::vector<GemmRecord> records;
  while (lines.next(line)) {
    GemmRecord record = read_row(line, columns, trace.counts.taken);
    record.phase = options.phase.value_or("unknown");
    record.quantize = !unquantized.have(record);
    if (options.merge == Merge::kShape) {
      record.layer = "row";
    }
    ++trace.counts.taken;
    ++trace.counts.by_phase[record.phase];
    records.push_back(std::move(record));
  }
  if (records.empty()) {
    throw InputError(name, "has a header and no row");
  }
  trace.counts.by_operator["row"] = trace.counts.taken;
  trace.counts.by_kind[GemmKind::kFprop] = trace.counts.taken;
  trace.records = merge_records(std::move(records), options.merge);
  return trace;
}

}  // namespace nibblecore
