// SPDX-License-Identifier: Apache-2.0
#include "tb/command/import_summary.hpp"

#include <fmt/format.h>

#include "model/common/strict_json.hpp"

namespace nibblecore::tb {
namespace {

std::string backward_lines(const ImportCounts& counts) {
  std::string text;
  for (const auto& [name, calls] : counts.backward) {
    const auto linked = counts.linked.find(name);
    text += fmt::format("  backward {} linked to forward: {} of {}\n", name,
                        linked != counts.linked.end() ? linked->second : 0, calls);
  }
  if (counts.ambiguous != 0) {
    text += fmt::format(
        "  dgrad or wgrad ambiguous: {} (told by operands {}, by strides {}, guessed by order "
        "{})\n",
        counts.ambiguous, counts.settled_by_operands, counts.settled_by_strides,
        counts.settled_by_order);
  }
  return text;
}

std::string skipped_lines(const ImportCounts& counts) {
  std::string text = fmt::format("skipped {} operators\n", counts.all_skipped());
  for (const auto& [reason, count] : counts.skipped) {
    text += fmt::format("  {}: {}\n", text_of(reason), count);
    if (reason == SkipReason::kUnknownOperator) {
      for (const auto& [name, calls] : counts.unknown_operators) {
        text += fmt::format("    {}: {}\n", in_quotes(name), calls);
      }
    }
  }
  return text;
}

}  // namespace

std::string import_summary(const ImportedTrace& trace) {
  const ImportCounts& counts = trace.counts;
  std::string text =
      fmt::format("taken {} operators, {} records\n", counts.taken, trace.records.size());
  for (const auto& [name, count] : counts.by_operator) {
    text += fmt::format("  operator {}: {}\n", name, count);
  }
  for (const auto& [kind, count] : counts.by_kind) {
    text += fmt::format("  gemm {}: {}\n", name_of(kind), count);
  }
  for (const auto& [phase, count] : counts.by_phase) {
    text += fmt::format("  phase {}: {}\n", phase, count);
  }
  return text + backward_lines(counts) + skipped_lines(counts);
}

}  // namespace nibblecore::tb
