// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/paired_rates.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/core.h>

namespace nibblecore::bench {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

Timed timed(std::function<void()> run) {
  return [run = std::move(run)] {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    run();
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
}

std::vector<PairedRates> paired_rates(int repetitions, const Contender& peer,
                                      const std::vector<Contender>& contenders) {
  std::vector<std::vector<double>> rates(contenders.size());
  std::vector<std::vector<double>> peer_rates(contenders.size());
  std::vector<std::vector<double>> ratios(contenders.size());
  for (int repetition = -1; repetition < repetitions; ++repetition) {
    for (size_t i = 0; i < contenders.size(); ++i) {
      const double peer_rate = peer.work / peer.run();
      const double rate = contenders[i].work / contenders[i].run();
      if (repetition >= 0) {
        rates[i].push_back(rate);
        peer_rates[i].push_back(peer_rate);
        ratios[i].push_back(rate / peer_rate);
      }
    }
  }
  std::vector<PairedRates> result;
  for (size_t i = 0; i < contenders.size(); ++i) {
    result.push_back({median(rates[i]), median(peer_rates[i]), median(ratios[i])});
  }
  return result;
}

std::vector<BenchmarkRow> paired_rows(int repetitions, const Contender& peer,
                                      const std::vector<Contender>& contenders,
                                      const std::string& unit) {
  const std::vector<PairedRates> rates = paired_rates(repetitions, peer, contenders);
  std::vector<BenchmarkRow> rows;
  for (size_t i = 0; i < contenders.size(); ++i) {
    const std::string against =
        fmt::format("{}: {:.4g} {}{}", peer.name, rates[i].peer_rate, unit,
                    contenders[i].note.empty() ? "" : "; " + contenders[i].note);
    rows.push_back({contenders[i].name, rates[i].rate, unit, against, rates[i].ratio});
  }
  return rows;
}

}  // namespace nibblecore::bench
