// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/common/random_stream.hpp"
#include "model/quantize/quantize_choices.hpp"

namespace nibblecore {

/// What the first stage of a noise schedule does.
enum class FirstStage { kSilent, kNoisy };

/// Adaptive quantization noise (arXiv 2510.11696): the standard deviation falls geometrically from
/// `start` to `end` over the equal stages of a training run. With kSilent the first of the `stages`
/// has no noise and the others share the fall, as QeRL does; with kNoisy stage 1 has `start`.
struct NoiseSchedule {
  double start = 1e-2;
  double end = 5e-4;
  int stages = 10;
  FirstStage first = FirstStage::kSilent;
};

/// The standard deviation in stage 1..stages: start * (end / start)^(i / (n - 1)) for the i-th of
/// the n noisy stages, counted from 0; `start` where n is 1. InputError where the schedule is
/// empty, or start or end is not positive and finite, or there is no such stage.
double noise_sigma(const NoiseSchedule& schedule, int stage);

/// The stage 1..stages of `step` 0..steps-1; InputError where there is no such step.
int noise_stage(const NoiseSchedule& schedule, int64_t step, int64_t steps);

/// Gaussian noise on a weight: all the weights of a layer (arXiv 2605.20402), or an RMSNorm weight,
/// a row of its channels (arXiv 2510.11696).
struct Noise {
  double sigma = 0;
  RandomStream random{0, Stream::kNoise, 0};
};

/// Adds noise to the `count` values of row `row`: w becomes RNE_FP32(w + sigma * z), z the standard
/// Gaussian number of the element in FP64.
void add_noise(const Noise& noise, const ElementIndex& elements, int64_t row, int64_t count,
               float* values);

}  // namespace nibblecore
