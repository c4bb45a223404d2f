// SPDX-License-Identifier: Apache-2.0
#include "model/workload/expert_shares.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "model/common/checked.hpp"
#include "model/common/random_stream.hpp"
#include "model/synthetic/elementary.hpp"
#include "model/synthetic/law.hpp"
#include "model/workload/samples.hpp"
#include "model/workload/workload_random.hpp"

namespace nibblecore {
namespace {

// More than a thousand refusals in a row of a method that refuses one in twenty do not happen.
constexpr uint64_t kAttempts = 1024;
constexpr double kLeastExponent = -700;  // of portable_exp

/// A number of the gamma law of this shape, at least 1: Marsaglia and Tsang, "A simple method for
/// generating gamma variables" (2000).
double gamma_above_one(double shape, uint64_t seed, uint64_t index) {
  static const Law& gaussian = find_law("gaussian");
  const RandomStream normals = workload_random(seed, WorkloadDraw::kExpertShares);
  const RandomStream units = workload_random(seed, WorkloadDraw::kExpertAcceptance);
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (uint64_t attempt = 1; attempt < kAttempts; ++attempt) {
    const double x = draw(gaussian, normals, index * kAttempts + attempt);
    const double root = 1 + c * x;
    const double v = root * root * root;
    if (v > 0 && portable_log(random_unit(units, index * kAttempts + attempt)) <
                     0.5 * x * x + d - d * v + d * portable_log(v)) {
      return d * v;
    }
  }
  throw InternalError("no number of a gamma law in " + std::to_string(kAttempts) + " attempts");
}

double gamma_number(double shape, uint64_t seed, uint64_t index) {
  if (shape >= 1) {
    return gamma_above_one(shape, seed, index);
  }
  const RandomStream units = workload_random(seed, WorkloadDraw::kExpertAcceptance);
  const double exponent = portable_log(random_unit(units, index * kAttempts)) / shape;
  return gamma_above_one(shape + 1, seed, index) * portable_exp(std::max(exponent, kLeastExponent));
}

double share_of_rank(const ExpertLaw& law, int64_t rank, uint64_t seed) {
  switch (law.kind) {
    case ExpertLawKind::kEven:
      return 1;
    case ExpertLawKind::kZipf:
      return portable_exp(-law.parameter * portable_log(static_cast<double>(rank + 1)));
    case ExpertLawKind::kDirichlet:
      return gamma_number(law.parameter, seed, static_cast<uint64_t>(rank));
  }
  throw InternalError("unknown law of experts");
}

/// Gives neighbours of `descending` shares the mean of their tier.
void put_into_tiers(std::vector<double>& descending, int64_t tiers) {
  const auto experts = static_cast<int64_t>(descending.size());
  const int64_t parts = std::min(tiers, experts);
  for (int64_t tier = 0; tier < parts; ++tier) {
    const Share part = share_of(experts, parts, tier);
    const auto begin = descending.begin() + part.begin;
    const auto end = descending.begin() + part.end;
    const double sum = std::accumulate(begin, end, 0.0);
    std::fill(begin, end, sum / static_cast<double>(part.end - part.begin));
  }
}

void shuffle(std::vector<double>& shares, uint64_t seed) {
  const RandomStream order = workload_random(seed, WorkloadDraw::kExpertOrder);
  for (size_t last = shares.size(); last > 1; --last) {
    const double place = random_unit(order, last) * static_cast<double>(last);
    std::swap(shares[last - 1], shares[std::min(static_cast<size_t>(place), last - 1)]);
  }
}

/// Experts from the greatest share to the least, equal ones in order.
std::vector<size_t> by_share(const std::vector<double>& shares) {
  std::vector<size_t> order(shares.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return shares[a] > shares[b]; });
  return order;
}

}  // namespace

std::vector<double> expert_shares(const ExpertLaw& law, int64_t experts, uint64_t seed) {
  std::vector<double> shares;
  shares.reserve(static_cast<size_t>(experts));
  for (int64_t rank = 0; rank < experts; ++rank) {
    shares.push_back(share_of_rank(law, rank, seed));
  }
  if (law.tiers > 0) {
    std::sort(shares.begin(), shares.end(), std::greater<>());
    put_into_tiers(shares, law.tiers);
  }
  shuffle(shares, seed);
  return shares;
}

std::vector<int64_t> expert_tokens(const std::vector<double>& shares, int64_t tokens,
                                   int64_t chosen) {
  const std::vector<size_t> order = by_share(shares);
  std::vector<int64_t> counts(shares.size(), 0);
  int64_t left = checked_multiply(tokens, chosen, "tokens of all experts");
  double left_share = std::accumulate(shares.begin(), shares.end(), 0.0);

  // No token can choose an expert twice: experts beyond that get all tokens, others the rest.
  size_t first = 0;
  while (first < order.size() && left > 0 &&
         shares[order[first]] / left_share * static_cast<double>(left) >=
             static_cast<double>(tokens)) {
    counts[order[first]] = std::min(tokens, left);
    left -= counts[order[first]];
    left_share -= shares[order[first]];
    ++first;
  }

  std::vector<std::pair<double, size_t>> remainders;
  const int64_t rest = left;
  for (size_t place = first; place < order.size(); ++place) {
    const double exact = shares[order[place]] / left_share * static_cast<double>(rest);
    const int64_t whole = std::min({static_cast<int64_t>(exact), tokens, left});
    counts[order[place]] = whole;
    left -= whole;
    remainders.emplace_back(exact - static_cast<double>(whole), order[place]);
  }
  std::stable_sort(remainders.begin(), remainders.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  // One round gives all but what rounding of the shares has lost.
  while (left > 0) {
    const int64_t before = left;
    for (const auto& [remainder, expert] : remainders) {
      if (left > 0 && counts[expert] < tokens) {
        ++counts[expert];
        --left;
      }
    }
    if (left == before) {
      throw InternalError("more tokens chosen than experts can take");
    }
  }
  return counts;
}

}  // namespace nibblecore
