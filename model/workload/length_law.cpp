// SPDX-License-Identifier: Apache-2.0
#include "model/workload/length_law.hpp"

#include <algorithm>
#include <cmath>

#include "model/common/error.hpp"
#include "model/synthetic/elementary.hpp"
#include "model/synthetic/law.hpp"

namespace nibblecore {
namespace {

// Draws of one length; a law with a hundredth of its mass inside fails once in 10^4 lengths.
constexpr uint64_t kAttempts = 1024;

double log_normal(const LengthLaw& law, const RandomStream& random, uint64_t element) {
  static const Law& gaussian = find_law("gaussian");
  const double exponent = law.sigma * draw(gaussian, random, element);
  return std::floor(law.median * portable_exp(exponent) + 0.5);
}

int64_t truncated(const LengthLaw& law, const RandomStream& random, uint64_t index,
                  const std::string& place) {
  for (uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
    const double length = log_normal(law, random, index * kAttempts + attempt);
    if (length >= static_cast<double>(law.least) && length <= static_cast<double>(law.most)) {
      return static_cast<int64_t>(length);
    }
  }
  throw InputError(place, "a log-normal law of median " + std::to_string(law.median) +
                              " and sigma " + std::to_string(law.sigma) +
                              " gives hardly any length from " + std::to_string(law.least) +
                              " to " + std::to_string(law.most));
}

}  // namespace

int64_t draw_length(const LengthLaw& law, const RandomStream& random, uint64_t index,
                    const std::string& place) {
  switch (law.kind) {
    case LengthLawKind::kFixed:
      return law.least;
    case LengthLawKind::kUniform: {
      const double width = static_cast<double>(law.most - law.least + 1);
      const auto offset = static_cast<int64_t>(random_unit(random, index) * width);
      return std::min(law.least + offset, law.most);
    }
    case LengthLawKind::kTruncatedLogNormal:
      return truncated(law, random, index, place);
    case LengthLawKind::kClippedLogNormal:
      return static_cast<int64_t>(std::clamp(log_normal(law, random, index * kAttempts),
                                             static_cast<double>(law.least),
                                             static_cast<double>(law.most)));
  }
  throw InternalError("unknown law of lengths");
}

}  // namespace nibblecore
