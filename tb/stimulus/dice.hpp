// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace nibblecore::tb {

/// Choices that follow from a seed.
class Dice {
 public:
  explicit Dice(uint32_t seed) : random_(seed) {}

  uint32_t bits() { return static_cast<uint32_t>(random_()); }

  /// A number from `least` to `most`, both included.
  int64_t between(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random_);
  }

  /// A number from 1 to `most`; small ones as likely as large ones.
  int64_t spread(int64_t most) { return between(1, between(1, most)); }

  bool chance(double probability) { return std::bernoulli_distribution(probability)(random_); }

  template <class T>
  const T& of(const std::vector<T>& choices) {
    return choices[static_cast<size_t>(between(0, static_cast<int64_t>(choices.size()) - 1))];
  }

  /// An enumerator, from the weights of all of them in their order.
  template <class Enum>
  Enum weighted(const std::vector<double>& weights) {
    return static_cast<Enum>(
        std::discrete_distribution<int>(weights.begin(), weights.end())(random_));
  }

 private:
  std::mt19937 random_;
};

}  // namespace nibblecore::tb
