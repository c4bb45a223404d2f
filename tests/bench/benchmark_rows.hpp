// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace nibblecore::bench {

/// One measured figure: `value` and what it is held against, in words, with the ratio of the two.
struct BenchmarkRow {
  std::string name;
  double value = 0;
  std::string unit;
  std::string against;
  double ratio = 0;
};

/// Something to measure: a call of `run` does `work` units of work.
struct Workload {
  double work;
  std::function<void()> run;
};

/// The median rate of each workload over `repetitions` calls; one call ahead of them warms up. The
/// workloads take turns, so that a slow phase of the machine meets all of them.
std::vector<double> median_rates(int repetitions, const std::vector<Workload>& workloads);

void print_rows(const std::vector<BenchmarkRow>& rows);

/// A JSON list of objects with the fields of a row; InputError where it cannot be written.
void write_rows(const std::vector<BenchmarkRow>& rows, const std::filesystem::path& path);

}  // namespace nibblecore::bench
