// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/signal_to_noise.hpp"

#include <cmath>

namespace nibblecore {

void SignalToNoise::add(double reference, double value) {
  const double error = value - reference;
  signal_ += reference * reference;
  noise_ += error * error;
}

SignalToNoise& SignalToNoise::operator+=(const SignalToNoise& other) {
  signal_ += other.signal_;
  noise_ += other.noise_;
  return *this;
}

std::optional<double> SignalToNoise::decibels() const {
  if (signal_ == 0 || noise_ == 0 || !std::isfinite(signal_) || !std::isfinite(noise_)) {
    return std::nullopt;
  }
  // Apart, since the ratio of two sums may leave FP64 where their logarithms do not.
  return 10 * (std::log10(signal_) - std::log10(noise_));
}

}  // namespace nibblecore
