// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "model/common/atomic_file.hpp"
#include "tb/command/commands.hpp"
#include "tb/coverage/coverage_report.hpp"
#include "tb/coverage/covered_run.hpp"

namespace nibblecore::tb {
namespace {

struct CoverOptions {
  uint32_t seeds = 8000;
  uint32_t first_seed = 1;
  std::string format;
  std::string output;
};

std::vector<BlockFormat> formats_of(const CoverOptions& options) {
  return options.format.empty()
             ? std::vector<BlockFormat>(kBlockFormats.begin(), kBlockFormats.end())
             : std::vector<BlockFormat>{block_format(options.format)};
}

int run(const CoverOptions& options) {
  StimulusConstraints constraints;
  constraints.formats = formats_of(options);
  std::optional<AtomicFile> file;
  if (!options.output.empty()) {
    file.emplace(options.output);
  }
  CoreCoverage coverage(constraints.formats);
  int64_t failures = 0;
  for (uint32_t i = 0; i < options.seeds; ++i) {
    const Stimulus stimulus(options.first_seed + i, constraints);
    const CoveredRun run = run_covered(stimulus, coverage);
    if (!run.passed()) {
      ++failures;
      fmt::print(stderr, "{}\n", run.failure);
    }
  }
  fmt::print("{}", coverage_table(coverage.coverage()));
  if (file) {
    file->stream() << coverage_json(coverage.coverage());
    file->commit();
  }
  fmt::print("\n{} GEMMs, {} failed\n", options.seeds, failures);
  return failures == 0 && coverage.coverage().is_closed() ? kExitEqual : kExitMismatch;
}

}  // namespace

void add_cover_command(CommandLine& line) {
  auto options = std::make_shared<CoverOptions>();
  Arguments arguments = line.add_command(
      "cover",
      "Run random GEMMs on the instrumented core against the golden reference and the cycle model, "
      "and print what they cover",
      [options] { return run(*options); });
  arguments.option("--seeds", options->seeds, "number of GEMMs, a seed each", Least::kOne);
  arguments.option("--first-seed", options->first_seed, "the first of them");
  arguments.optional("--format", options->format, "mxfp4, hif4 or nvfp4 alone (default: all)");
  arguments.optional("-o,--output", options->output, "also write every bin as JSON");
}

}  // namespace nibblecore::tb
