// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace nibblecore {

/// Signal-to-noise ratio of computed outputs against reference values. Sums are FP64 in the order
/// of the calls: add and merge in a fixed order to get the same bits on any number of threads.
class SignalToNoise {
 public:
  void add(double reference, double value);
  SignalToNoise& operator+=(const SignalToNoise& other);

  /// Sum of reference^2.
  double signal() const { return signal_; }
  /// Sum of (value - reference)^2.
  double noise() const { return noise_; }
  /// 10 log10(signal / noise); none where either is 0 or not finite.
  std::optional<double> decibels() const;

  /// Hands all that this holds to `visit`, to be stored or restored.
  template <typename Visit>
  void for_each_field(Visit& visit) {
    auto& [signal, noise] = *this;
    visit(signal);
    visit(noise);
  }

 private:
  double signal_ = 0;
  double noise_ = 0;
};

}  // namespace nibblecore
