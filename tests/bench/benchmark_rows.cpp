// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/benchmark_rows.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <boost/json.hpp>
#include <fmt/core.h>

#include "model/common/atomic_file.hpp"

namespace nibblecore::bench {

std::vector<double> median_rates(int repetitions, const std::vector<Workload>& workloads) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::vector<double>> seconds(workloads.size());
  for (int repetition = -1; repetition < repetitions; ++repetition) {
    for (size_t i = 0; i < workloads.size(); ++i) {
      const Clock::time_point start = Clock::now();
      workloads[i].run();
      if (repetition >= 0) {
        seconds[i].push_back(std::chrono::duration<double>(Clock::now() - start).count());
      }
    }
  }
  std::vector<double> rates;
  for (size_t i = 0; i < workloads.size(); ++i) {
    std::sort(seconds[i].begin(), seconds[i].end());
    rates.push_back(workloads[i].work / seconds[i][seconds[i].size() / 2]);
  }
  return rates;
}

void print_rows(const std::vector<BenchmarkRow>& rows) {
  fmt::print("{:<44} {:>14} {:<9} {:>6}  {}\n", "name", "value", "unit", "ratio", "against");
  for (const BenchmarkRow& row : rows) {
    fmt::print("{:<44} {:>14.6g} {:<9} {:>6.3f}  {}\n", row.name, row.value, row.unit, row.ratio,
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
