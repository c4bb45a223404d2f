// SPDX-License-Identifier: Apache-2.0
#include "model/synthetic/elementary.hpp"

#include <cmath>

namespace nibblecore {
namespace {

constexpr double kPi = 0x1.921fb54442d18p+1;
// ln 2 in two parts; the first has 21 zero bits at its end, so its product with an exponent is
// exact.
constexpr double kLn2High = 0x1.62e42fee00000p-1;
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

/// sin(x) / x and cos(x) of x^2 <= (pi / 4)^2 by their Taylor series; nine terms after the first
/// leave less than 1e-18.
double alternating_series(double square, int first_divisor) {
  double sum = 1;
  for (int term = 9; term >= 1; --term) {
    const double divisor = (2.0 * term - first_divisor) * (2.0 * term - first_divisor + 1);
    sum = 1 - square / divisor * sum;
  }
  return sum;
}
double cosine(double x) { return alternating_series(x * x, 1); }
double sine(double x) { return x * alternating_series(x * x, 0); }

}  // namespace

double portable_log(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // [0.5, 1)
  if (mantissa < 0x1.6a09e667f3bcdp-1) {       // sqrt(1/2)
    mantissa *= 2;
    --exponent;
  }
  // log m = 2 artanh t; t^2 <= 0.0295, so twelve terms after the first leave less than 1e-20.
  const double t = (mantissa - 1) / (mantissa + 1);
  const double square = t * t;
  double sum = 0;
  for (int term = 12; term >= 1; --term) {
    sum = square * (1.0 / (2 * term + 1) + sum);
  }
  return exponent * kLn2High + (exponent * kLn2Low + 2 * t * sum + 2 * t);
}

double portable_exp(double x) {
  const double power = std::floor(x * 0x1.71547652b82fep+0 + 0.5);  // x / ln 2 to the nearest
  const double rest = (x - power * kLn2High) - power * kLn2Low;     // |rest| <= 0.35
  // Fourteen terms leave less than 1e-19.
  double sum = 1;
  for (int term = 14; term >= 1; --term) {
    sum = 1 + rest / term * sum;
  }
  return std::ldexp(sum, static_cast<int>(power));
}

double portable_cos_turns(double x) {
  double turns = std::fabs(x - 0.5);  // cos(2 pi x) = -cos(2 pi turns), 0 <= turns <= 0.5
  double sign = -1;
  if (turns > 0.25) {
    turns = 0.5 - turns;
    sign = 1;
  }
  return sign * (turns > 0.125 ? sine(2 * kPi * (0.25 - turns)) : cosine(2 * kPi * turns));
}

}  // namespace nibblecore
