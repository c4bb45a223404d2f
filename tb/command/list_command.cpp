// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include <fmt/format.h>

#include "model/common/error.hpp"
#include "model/formats/accumulation.hpp"
#include "model/formats/preset.hpp"
#include "model/machine/confidence.hpp"
#include "model/machine/machine_file.hpp"
#include "tb/command/commands.hpp"
#include "tb/command/energy_list.hpp"
#include "tb/command/layout_table.hpp"
#include "tb/command/preset_table.hpp"
#include "tb/command/scheme_table.hpp"
#include "tb/command/workload_table.hpp"
#include "tb/replay/text_table.hpp"

namespace nibblecore::tb {
namespace {

std::string formats() {
  TextTable table({"format", "block", "element", "scale", "bits a value"});
  for (const BlockFormat& format : kBlockFormats) {
    table.add_row({std::string(format.name), std::to_string(format.block),
                   format.element == ElementKind::kE2m1 ? "E2M1" : "S1P2",
                   std::string(scale_name(format.scale)),
                   fmt::format("{}", static_cast<double>(format.block_bits()) / format.block)});
  }
  return table.text();
}

std::string rules() {
  TextTable table({"mxfp4 scale rule", "the block's scale"});
  for (const ScaleRuleRecord& record : kScaleRules) {
    table.add_row({std::string(record.name), std::string(record.meaning)});
  }
  TextTable roundings({"element rounding", "meaning"});
  for (const RoundingRecord& record : kRoundings) {
    roundings.add_row({std::string(record.name), std::string(record.meaning)});
  }
  return table.text() + "\n" + roundings.text();
}

std::string basis_text(PolicyBasis basis) {
  switch (basis) {
    case PolicyBasis::kContract:
      return "contract";
    case PolicyBasis::kPublishedModel:
      return "published model";
    case PolicyBasis::kUntestedModel:
      return "untested model";
  }
  throw InternalError("unknown basis of a policy");
}

std::string policies() {
  TextTable table({"policy", "basis", "meaning"});
  for (const AccumulationRecord& record : kAccumulations) {
    table.add_row(
        {std::string(record.name), basis_text(record.basis), std::string(record.meaning)});
  }
  return table.text();
}

std::string machines() {
  std::string text;
  for (const MachineFile& file : built_in_machines()) {
    text += fmt::format("{}: {}\n", file.machine.name, file.description);
    TextTable table({"field", "value", "mark", "source"});
    for (const MachineField& field : file.fields) {
      table.add_row({field.name, std::to_string(field.value),
                     std::string(confidence_record(field.confidence).name), field.source});
    }
    text += table.text();
    for (const std::string& note : file.notes) {
      text += "note: " + note + "\n";
    }
    text += "\n";
  }
  text += "marks:";
  for (const ConfidenceRecord& record : kConfidences) {
    text += fmt::format(" {} {};", record.name, record.meaning);
  }
  text.back() = '\n';
  return text;
}

using Lister = std::string (*)();
constexpr std::array<std::pair<std::string_view, Lister>, 10> kLists{{{"formats", formats},
                                                                      {"presets", preset_table},
                                                                      {"rules", rules},
                                                                      {"schemes", scheme_table},
                                                                      {"policies", policies},
                                                                      {"machines", machines},
                                                                      {"layouts", layout_table},
                                                                      {"models", model_table},
                                                                      {"recipes", recipe_table},
                                                                      {"energy", energy_list}}};

int run(const std::string& what) {
  std::string known;
  for (const auto& [name, lister] : kLists) {
    if (name == what) {
      fmt::print("{}", lister());
      return kExitEqual;
    }
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw InputError("list", "nothing called '" + what + "' to list (known: " + known + ")");
}

}  // namespace

void add_list_command(CommandLine& line) {
  auto what = std::make_shared<std::string>();
  Arguments arguments = line.add_command("list", "List what can be named on the command line",
                                         [what] { return run(*what); });
  arguments.required(
      "what", *what,
      "formats, presets, rules, policies, machines, layouts, schemes, models, recipes or "
      "energy");
}

}  // namespace nibblecore::tb
