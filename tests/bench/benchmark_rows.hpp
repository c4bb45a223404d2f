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

/// The median of the rates of `repetitions` calls of `run`, which does `work` units each time; one
/// call ahead of them warms up.
double median_rate(int repetitions, double work, const std::function<void()>& run);

void print_rows(const std::vector<BenchmarkRow>& rows);

/// A JSON list of objects with the fields of a row; InputError where it cannot be written.
void write_rows(const std::vector<BenchmarkRow>& rows, const std::filesystem::path& path);

}  // namespace nibblecore::bench
