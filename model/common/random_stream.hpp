// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/common/philox.hpp"

namespace nibblecore {

/// What random numbers are for: each purpose has numbers of its own under one seed. The values are
/// part of what a seed means; add new ones at the end.
enum class Stream : uint32_t {
  kStochasticRounding = 0,
  kHadamardSigns = 1,
  kSyntheticData = 2,     ///< the values of a law
  kSyntheticPhases = 3,   ///< octave phases of synthetic blocks
  kOutlierChannels = 4,   ///< which channels are outliers
  kNoise = 5,             ///< adaptive quantization noise
  kResidualRounding = 6,  ///< stochastic rounding of the residual of an operand
  kFilledTensors = 7,     ///< seeds of the tensors of records that a replay fills
  kWorkload = 8,          ///< lengths and expert shares of a workload
};

/// Random numbers of one purpose for one tensor. Each element, by its index in row-major order of
/// the stored tensor, has its own Philox counter (index low, index high, tensor, stream) under the
/// key (seed low, seed high), so numbers depend neither on threads nor on the order of visits.
struct RandomStream {
  uint64_t seed = 0;
  Stream stream = Stream::kStochasticRounding;
  uint32_t tensor = 0;  ///< ordinal of the tensor in its run
};

/// The four random words of an element.
constexpr PhiloxCounter random_words(const RandomStream& random, uint64_t element) {
  return philox4x32({static_cast<uint32_t>(element), static_cast<uint32_t>(element >> 32),
                     random.tensor, static_cast<uint32_t>(random.stream)},
                    {static_cast<uint32_t>(random.seed), static_cast<uint32_t>(random.seed >> 32)});
}

/// The 16 random bits of a rounding: the low half of the element's first word.
constexpr uint16_t random_bits16(const RandomStream& random, uint64_t element) {
  return static_cast<uint16_t>(random_words(random, element)[0] & 0xFFFF);
}

/// Two words as a number in (0, 1): the middle of one of 2^52 equal cells, exactly, so that neither
/// end can occur and u and 1 - u are equally likely.
constexpr double unit_of_words(uint32_t low, uint32_t high) {
  const uint64_t cell = ((uint64_t{high} << 32) | low) >> 12;
  return (static_cast<double>(cell) + 0.5) * 0x1p-52;
}

/// A uniform number in (0, 1) with 53 significant fraction bits, from the element's first two
/// words.
constexpr double random_unit(const RandomStream& random, uint64_t element) {
  const PhiloxCounter words = random_words(random, element);
  return unit_of_words(words[0], words[1]);
}

}  // namespace nibblecore
