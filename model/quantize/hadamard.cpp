// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/hadamard.hpp"

#include <cmath>
#include <string>
#include <string_view>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

constexpr std::string_view kTransformerEngineSigns = "+++-+------+-+--";

float sign_of(const HadamardTransform& transform, int position) {
  switch (transform.signs) {
    case HadamardSigns::kPlus:
      return 1.0F;
    case HadamardSigns::kTransformerEngine:
      return kTransformerEngineSigns[static_cast<size_t>(position)] == '-' ? -1.0F : 1.0F;
    case HadamardSigns::kSeeded: {
      const PhiloxCounter words = random_words(transform.random, static_cast<uint64_t>(position));
      return (words[0] & 1) != 0 ? -1.0F : 1.0F;
    }
  }
  throw InternalError("unknown signs of a Hadamard transform");
}

void transform_group(float* values, int length) {
  for (int stride = 1; stride < length; stride *= 2) {
    for (int first = 0; first < length; first += 2 * stride) {
      for (int i = first; i < first + stride; ++i) {
        const float a = values[i];
        const float b = values[i + stride];
        values[i] = a + b;
        values[i + stride] = a - b;
      }
    }
  }
}

}  // namespace

void require_hadamard(const HadamardTransform& transform, int64_t k) {
  const std::string place = "Hadamard transform";
  const int length = transform.length;
  if (length != 16 && length != 32 && length != 64) {
    throw InputError(place, "length " + std::to_string(length) + " is not 16, 32 or 64");
  }
  if (transform.signs == HadamardSigns::kTransformerEngine &&
      length != static_cast<int>(kTransformerEngineSigns.size())) {
    throw InputError(place, "TransformerEngine's signs are 16, not " + std::to_string(length));
  }
  if (k % length != 0) {
    throw InputError(place, "K = " + std::to_string(k) + " is no multiple of its length " +
                                std::to_string(length));
  }
}

Hadamard::Hadamard(const HadamardTransform& transform)
    : length_(transform.length),
      factor_(static_cast<float>(1 / std::sqrt(static_cast<double>(transform.length)))) {
  require_hadamard(transform, 0);
  for (int i = 0; i < length_; ++i) {
    signs_[static_cast<size_t>(i)] = sign_of(transform, i);
  }
}

void Hadamard::transform(int64_t count, float* values) const {
  for (int64_t first = 0; first < count; first += length_) {
    float* group = values + first;
    for (int i = 0; i < length_; ++i) {
      group[i] *= sign(i);
    }
    transform_group(group, length_);
    for (int i = 0; i < length_; ++i) {
      group[i] *= factor_;
    }
  }
}

}  // namespace nibblecore
