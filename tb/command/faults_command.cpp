// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "model/common/error.hpp"
#include "model/formats/named_record.hpp"
#include "tb/command/commands.hpp"
#include "tb/fault/campaign.hpp"
#include "tb/fault/campaign_report.hpp"
#include "tb/replay/progress.hpp"

namespace nibblecore::tb {
namespace {

struct FaultsOptions {
  std::string format = "mxfp4";
  std::string accumulate = "fp32-rne";
  std::string site = "all";
  std::string kind = "stuck";
  int64_t sample = 0;
  uint64_t seed = 1;
  bool list = false;
  std::string output;
};

const BlockFormat& campaign_format(const std::string& name, Accumulation accumulation) {
  const BlockFormat& format = block_format(name);
  require_format_of(accumulation, format);
  if (format.scale == ScaleKind::kUe4m3 && accumulation == Accumulation::kFp32Rne) {
    throw InputError("--format",
                     "faults are looked for in mxfp4 and hif4, under blackwell in nvfp4 too");
  }
  return format;
}

/// The node of `blackwell-v1` is that of `blackwell` with other constants.
Accumulation campaign_policy(const std::string& name) {
  const Accumulation policy = accumulation(name);
  if (policy != Accumulation::kFp32Rne && policy != Accumulation::kBlackwell) {
    throw InputError("--accumulate", "faults are looked for under fp32-rne and blackwell");
  }
  return policy;
}

std::vector<FaultKind> kinds(const std::string& name) {
  if (name == "stuck") {
    return {FaultKind::kStuckAt0, FaultKind::kStuckAt1};
  }
  if (name == "flip") {
    return {FaultKind::kFlip};
  }
  if (name == "all") {
    return {FaultKind::kStuckAt0, FaultKind::kStuckAt1, FaultKind::kFlip};
  }
  throw InputError("--kind", "unknown name '" + name + "' (known: stuck, flip, all)");
}

std::vector<Fault> chosen_faults(const FaultsOptions& options, const BlockFormat& format,
                                 Accumulation policy) {
  std::vector<Fault> faults = all_faults(format, kinds(options.kind), policy);
  if (options.site != "all") {
    const hw::Site site = find_record(hw::site_records(), options.site, "--site").site;
    std::vector<Fault> of_site;
    for (const Fault& fault : faults) {
      if (fault.site == site) {
        of_site.push_back(fault);
      }
    }
    if (of_site.empty()) {
      throw InputError("--site", "no data of " + options.format + " passes '" + options.site +
                                     "', or it does under fp32-rne too");
    }
    faults = std::move(of_site);
  }
  return options.sample == 0 ? faults : sample_faults(faults, options.sample, options.seed);
}

int run(const FaultsOptions& options) {
  const Accumulation policy = campaign_policy(options.accumulate);
  const BlockFormat& format = campaign_format(options.format, policy);
  if (options.list) {
    fmt::print("{}", site_table(format, policy));
    return kExitEqual;
  }
  const std::vector<Fault> faults = chosen_faults(options, format, policy);
  Campaign campaign(format, options.seed, make_stimuli(format, options.seed, policy));
  Progress progress("faults", static_cast<int64_t>(faults.size()));
  std::vector<FaultResult> results;
  for (const Fault& fault : faults) {
    results.push_back(campaign.classify(fault));
    progress.advance(1);
  }
  progress.finish();
  if (!options.output.empty()) {
    write_campaign(options.output, results);
  }
  fmt::print("{}", campaign_table(results));
  const bool enough = count(results, false).coverage() >= kLeastCoverage &&
                      count(results, true).coverage() >= kLeastCoverage;
  return enough ? kExitEqual : kExitMismatch;
}

}  // namespace

void add_faults_command(CommandLine& line) {
  auto options = std::make_shared<FaultsOptions>();
  Arguments arguments = line.add_command(
      "faults", "Put faults into a small core and say which of them its checks detect",
      [options] { return run(*options); });
  arguments.option("--format", options->format, "mxfp4 or hif4; under blackwell mxfp4 or nvfp4");
  arguments.option("--accumulate", options->accumulate,
                   "fp32-rne, or blackwell: the buses that it alone has");
  arguments.option("--site", options->site, "one bus or register (--list), or all");
  arguments.option("--kind", options->kind, "stuck (at 0 and at 1), flip, or all");
  arguments.option("--sample", options->sample, "this many of the faults at random; 0: all",
                   Least::kZero);
  arguments.option("--seed", options->seed, "of the sample, the stimuli and the times of flips");
  arguments.flag("--list", options->list, "print the buses and registers, put no fault");
  arguments.optional("-o,--output", options->output,
                     "write every fault to this file: .csv, or JSON");
}

}  // namespace nibblecore::tb
