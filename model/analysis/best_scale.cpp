// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/best_scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace nibblecore {
namespace {

constexpr std::array<double, 8> kMagnitudes{0, 0.5, 1, 1.5, 2, 3, 4, 6};

/// Below `scale` the element's magnitude goes from one of kMagnitudes to the next.
struct Step {
  double scale;
  double product_gain;  ///< what <x,q> gains
  double square_gain;   ///< what <q,q> gains
};

}  // namespace

double best_real_scale(const float* values, int count) {
  std::vector<Step> steps;
  steps.reserve(static_cast<size_t>(count) * (kMagnitudes.size() - 1));
  for (int i = 0; i < count; ++i) {
    const double magnitude = std::fabs(values[i]);
    if (magnitude == 0) {
      continue;
    }
    for (size_t code = 1; code < kMagnitudes.size(); ++code) {
      const double low = kMagnitudes[code - 1];
      const double high = kMagnitudes[code];
      steps.push_back(
          {magnitude / ((low + high) / 2), magnitude * (high - low), high * high - low * low});
    }
  }
  std::sort(steps.begin(), steps.end(),
            [](const Step& a, const Step& b) { return a.scale > b.scale; });
  double product = 0;
  double square = 0;
  double best_reduction = 0;
  double best = 0;
  for (const Step& step : steps) {
    product += step.product_gain;
    square += step.square_gain;
    const double reduction = product * product / square;
    if (reduction > best_reduction) {
      best_reduction = reduction;
      best = product / square;
    }
  }
  return best;
}

}  // namespace nibblecore
