// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include <fmt/format.h>

#include "model/common/error.hpp"
#include "model/formats/accumulation.hpp"
#include "model/formats/preset.hpp"
#include "model/machine/core_description.hpp"
#include "tb/command/commands.hpp"
#include "tb/replay/text_table.hpp"

namespace nibblecore::tb {
namespace {

using Align = TextTable::Align;

TextTable table_of(std::initializer_list<const char*> titles) {
  TextTable table;
  for (const char* title : titles) {
    table.add_column(title, Align::kLeft);
  }
  return table;
}

std::string formats() {
  TextTable table = table_of({"format", "block", "element", "scale", "bits a value"});
  for (const BlockFormat& format : kBlockFormats) {
    table.add_row({std::string(format.name), std::to_string(format.block),
                   format.element == ElementKind::kE2m1 ? "E2M1" : "S1P2",
                   std::string(scale_name(format.scale)),
                   fmt::format("{}", static_cast<double>(format.block_bits()) / format.block)});
  }
  return table.text();
}

std::string presets_text() {
  TextTable table = table_of({"format", "preset", "also", "meaning", "provenance"});
  for (const Preset& preset : presets()) {
    table.add_row({std::string(preset.format.name), preset.name, std::string(preset.alias),
                   std::string(preset.meaning), std::string(preset.provenance)});
  }
  return table.text();
}

std::string policies() {
  TextTable table = table_of({"policy", "meaning"});
  for (const AccumulationRecord& record : kAccumulations) {
    table.add_row({std::string(record.name), std::string(record.meaning)});
  }
  return table.text();
}

std::string machines() {
  TextTable table = table_of({"machine", "rows", "columns", "depth", "source"});
  for (const CoreDescription& core : kCores) {
    table.add_row({std::string(core.name), std::to_string(core.rows), std::to_string(core.columns),
                   std::to_string(core.depth), std::string(core.source)});
  }
  return table.text();
}

using Lister = std::string (*)();
constexpr std::array<std::pair<std::string_view, Lister>, 4> kLists{{{"formats", formats},
                                                                     {"presets", presets_text},
                                                                     {"policies", policies},
                                                                     {"machines", machines}}};

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

void add_list_command(CLI::App& app, int& exit_code) {
  auto what = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("list", "List what can be named on the command line");
  command->add_option("what", *what, "formats, presets, policies or machines")->required();
  command->callback([what, &exit_code] { exit_code = run(*what); });
}

}  // namespace nibblecore::tb
