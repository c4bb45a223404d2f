// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "model/common/error.hpp"
#include "model/import/importers.hpp"
#include "model/trace/manifest_writer.hpp"
#include "tb/command/commands.hpp"
#include "tb/command/import_summary.hpp"

namespace nibblecore::tb {
namespace {

struct CommandOptions {
  std::string format;
  std::string input;
  std::string output;
  std::string phase;
  std::string unquantized;
  std::string merge = "layer";
};

std::optional<std::string> given(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

Merge merge_of(const std::string& name) {
  for (const auto& [merge, merge_name] : kMerges) {
    if (merge_name == name) {
      return merge;
    }
  }
  throw InputError("--merge", "unknown name '" + name + "' (known: none, layer, shape)");
}

int run(const CommandOptions& options) {
  ImportOptions import_options;
  import_options.phase = given(options.phase);
  import_options.unquantized = given(options.unquantized);
  import_options.merge = merge_of(options.merge);
  const Importer& importer = find_importer(options.format, "format");
  const ImportedTrace trace = import_file(importer, options.input, import_options);
  write_manifest(options.output, trace.records);
  fmt::print("{}: {}\n{}", options.input, importer.description, import_summary(trace));
  return kExitEqual;
}

std::string format_help() {
  std::string help = "what the file is:";
  for (const Importer& importer : kImporters) {
    help += fmt::format("\n{}: {}", importer.name, importer.description);
  }
  return help;
}

}  // namespace

void add_import_command(CommandLine& line) {
  auto options = std::make_shared<CommandOptions>();
  Arguments arguments =
      line.add_command("import", "Make a trace of shapes from a profile or a table of GEMMs",
                       [options] { return run(*options); });
  arguments.required("format", options->format, format_help());
  arguments.required("file", options->input, "the file, plain or gzip");
  arguments.required("-o,--output", options->output, "trace folder to write gemms.jsonl to");
  arguments.optional("--phase", options->phase,
                     "phase of every record, for a file of one role: rollout.decode, logprob, ...");
  arguments.optional("--unquantized", options->unquantized,
                     "regular expression found anywhere in the layers that stay in high precision");
  arguments.option("--merge", options->merge,
                   "records that become one with a count: none; layer, those equal in everything; "
                   "shape, those equal but for the layer");
}

}  // namespace nibblecore::tb
