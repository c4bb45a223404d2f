// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/benchmark_rows.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <boost/json.hpp>
#include <fmt/core.h>

#include "model/common/atomic_file.hpp"

namespace nibblecore::bench {

double median_rate(int repetitions, double work, const std::function<void()>& run) {
  using Clock = std::chrono::steady_clock;
  run();
  std::vector<double> seconds;
  for (int i = 0; i < repetitions; ++i) {
    const Clock::time_point start = Clock::now();
    run();
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  std::sort(seconds.begin(), seconds.end());
  return work / seconds[seconds.size() / 2];
}

void print_rows(const std::vector<BenchmarkRow>& rows) {
  fmt::print("{:<26} {:>12} {:<9} {:>6}  {}\n", "name", "value", "unit", "ratio", "against");
  for (const BenchmarkRow& row : rows) {
    fmt::print("{:<26} {:>12.0f} {:<9} {:>6.2f}  {}\n", row.name, row.value, row.unit, row.ratio,
               row.against);
  }
}

void write_rows(const std::vector<BenchmarkRow>& rows, const std::filesystem::path& path) {
  boost::json::array list;
  for (const BenchmarkRow& row : rows) {
    list.push_back({{"name", row.name},
                    {"value", row.value},
                    {"unit", row.unit},
                    {"against", row.against},
                    {"ratio", row.ratio}});
  }
  AtomicFile file(path);
  file.stream() << boost::json::serialize(list) << '\n';
  file.commit();
}

}  // namespace nibblecore::bench
