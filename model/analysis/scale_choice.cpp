// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/scale_choice.hpp"

#include <algorithm>
#include <cmath>

#include "model/analysis/best_scale.hpp"
#include "model/common/error.hpp"

namespace nibblecore {
namespace {

/// `value` with `bits` bits behind the leading one.
double rounded(double value, int bits, SweepScale direction) {
  int exponent = 0;
  const double units = std::ldexp(std::frexp(value, &exponent), bits + 1);  // [2^bits, 2^(bits+1))
  const double below = std::floor(units);
  const double rest = units - below;
  bool up = rest > 0;
  if (direction == SweepScale::kNearest) {
    up = rest > 0.5 || (rest == 0.5 && std::fmod(below, 2) != 0);
  } else if (direction == SweepScale::kRoundedDown) {
    up = false;
  }
  return std::ldexp(up ? below + 1 : below, exponent - bits - 1);
}

double squared_error(const float* values, int count, double scale) {
  const ElementRounding& rounding = e2m1_rounding(Rounding::kNearestEven);
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    const double error = e2m1_value(values[i], scale, rounding) - values[i];
    sum += error * error;
  }
  return sum;
}

double best_power_of_two(const float* values, int count, double rounded_up) {
  double best = 0;
  double least = 0;
  for (const double factor : {0.25, 0.5, 1.0, 2.0}) {
    const double scale = factor * rounded_up;
    const double error = squared_error(values, count, scale);
    if (best == 0 || error < least) {
      best = scale;
      least = error;
    }
  }
  return best;
}

}  // namespace

double sweep_scale(const float* values, int count, const ScaleChoice& choice) {
  const double ideal = ideal_e2m1_scale(block_maximum(values, count));
  switch (choice.scale) {
    case SweepScale::kRoundedUp:
    case SweepScale::kNearest:
    case SweepScale::kRoundedDown:
      return rounded(ideal, choice.mantissa_bits, choice.scale);
    case SweepScale::kUnlimited:
      return ideal;
    case SweepScale::kBestPowerOfTwo:
      return best_power_of_two(values, count, rounded(ideal, 0, SweepScale::kRoundedUp));
    case SweepScale::kBestReal:
      return best_real_scale(values, count);
  }
  throw InternalError("unknown scale of a sweep");
}

double block_maximum(const float* values, int count) {
  double largest = 0;
  for (int i = 0; i < count; ++i) {
    largest = std::max(largest, std::fabs(static_cast<double>(values[i])));
  }
  return largest;
}

}  // namespace nibblecore
