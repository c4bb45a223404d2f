// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "model/common/atomic_file.hpp"
#include "model/common/error.hpp"
#include "model/trace/trace.hpp"
#include "tb/claims/claims.hpp"
#include "tb/claims/claims_report.hpp"
#include "tb/claims/scale_sweep_table.hpp"
#include "tb/command/commands.hpp"

namespace nibblecore::tb {
namespace {

/// Fewer make the smallest of the synthetic tensors meaningless.
constexpr int64_t kFewestValues = 4096;

struct CommandOptions {
  std::string trace;
  std::string json;
  std::string only;
  ClaimInputs inputs;
};

/// "1,6,7" as numbers; all claims where `text` is empty.
std::vector<int> numbers_of(const std::string& text) {
  if (text.empty()) {
    return claim_numbers();
  }
  std::vector<int> numbers;
  const char* position = text.data();
  const char* const end = text.data() + text.size();
  while (true) {
    int number = 0;
    const auto [after, error] = std::from_chars(position, end, number);
    if (error != std::errc() || (after != end && *after != ',')) {
      throw InputError("--only", "'" + text + "' is no list of numbers such as 1,6,7");
    }
    numbers.push_back(number);
    if (after == end) {
      return numbers;
    }
    position = after + 1;
  }
}

std::string folder_name(const std::filesystem::path& folder) {
  const std::filesystem::path name = std::filesystem::absolute(folder).lexically_normal();
  return name.has_filename() ? name.filename().string() : name.parent_path().filename().string();
}

int run(CommandOptions options) {
  const std::vector<int> numbers = numbers_of(options.only);
  if (options.inputs.values < kFewestValues ||
      (options.inputs.values & (options.inputs.values - 1)) != 0) {
    throw InputError("--values",
                     std::to_string(options.inputs.values) + " is no power of two from 4096 on");
  }
  // Its tensors stay mapped until the end.
  std::optional<Trace> trace;
  if (!options.trace.empty()) {
    trace.emplace(options.trace);
    options.inputs.groups = operand_groups(*trace, folder_name(options.trace));
  }
  // Opened ahead of the work, which would be lost where it can't be.
  std::optional<AtomicFile> json;
  if (!options.json.empty()) {
    json.emplace(options.json);
  }
  const std::vector<Claim> claims = compute_claims(options.inputs, numbers);
  if (json) {
    write_claims_json(json->stream(), options.inputs, claims);
    json->close();
    json->commit();
  }
  fmt::print("{}", claims_table(claims));
  if (std::find(numbers.begin(), numbers.end(), kScaleSweepClaim) != numbers.end()) {
    fmt::print("\nTotal error over that of a power-of-two scale rounded up, Gaussian (t40):\n\n{}",
               scale_sweep_table(options.inputs));
  }
  return kExitEqual;
}

}  // namespace

void add_claims_command(CommandLine& line) {
  auto options = std::make_shared<CommandOptions>();
  Arguments arguments = line.add_command(
      "claims",
      "Compute the figures behind published claims on 4-bit formats, and say which hold "
      "(docs/claims.md)",
      [options] { return run(*options); });
  arguments.optional("--trace", options->trace,
                     "trace folder, whose operands are decomposed beside the synthetic ones");
  arguments.optional("--json", options->json, "write every figure and rule to this file");
  arguments.optional("--only", options->only, "numbers of claims, such as 1,6,7; all by default");
  arguments.option("--values", options->inputs.values,
                   "of each synthetic tensor: a power of two; tolerances follow");
  arguments.option("--seed", options->inputs.seed, "of the synthetic tensors");
  arguments.threads(options->inputs.threads);
}

}  // namespace nibblecore::tb
