// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/noise.hpp"

#include <cmath>
#include <string>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/synthetic/law.hpp"

namespace nibblecore {
namespace {

constexpr const char* kPlace = "noise schedule";

int silent_stages(const NoiseSchedule& schedule) {
  return schedule.first == FirstStage::kSilent ? 1 : 0;
}

void require_schedule(const NoiseSchedule& schedule) {
  for (const double sigma : {schedule.start, schedule.end}) {
    if (!(sigma > 0) || !std::isfinite(sigma)) {
      throw InputError(kPlace, "a standard deviation of " + std::to_string(sigma) +
                                   " is not positive and finite");
    }
  }
  if (schedule.stages <= silent_stages(schedule)) {
    throw InputError(kPlace, std::to_string(schedule.stages) + " stages leave none with noise");
  }
}

}  // namespace

double noise_sigma(const NoiseSchedule& schedule, int stage) {
  require_schedule(schedule);
  if (stage < 1 || stage > schedule.stages) {
    throw InputError(kPlace, "there is no stage " + std::to_string(stage) + " of " +
                                 std::to_string(schedule.stages));
  }
  const int index = stage - 1 - silent_stages(schedule);
  if (index < 0) {
    return 0;
  }
  const int last = schedule.stages - silent_stages(schedule) - 1;
  if (last == 0) {
    return schedule.start;
  }
  return schedule.start *
         std::pow(schedule.end / schedule.start, static_cast<double>(index) / last);
}

int noise_stage(const NoiseSchedule& schedule, int64_t step, int64_t steps) {
  require_schedule(schedule);
  if (step < 0 || step >= steps) {
    throw InputError(kPlace,
                     "there is no step " + std::to_string(step) + " of " + std::to_string(steps));
  }
  // floor(step * stages / steps) without leaving 64 bits.
  return static_cast<int>(static_cast<Int128>(step) * schedule.stages / steps) + 1;
}

void add_noise(const Noise& noise, const ElementIndex& elements, int64_t row, int64_t count,
               float* values) {
  const Law& gaussian = kLaws[0];
  for (int64_t i = 0; i < count; ++i) {
    const double z = draw(gaussian, noise.random, elements.of(row, i));
    values[i] = static_cast<float>(values[i] + noise.sigma * z);
  }
}

}  // namespace nibblecore
