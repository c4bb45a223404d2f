// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/workload/recipe.hpp"

namespace nibblecore {

/// One response with its prompt.
struct Sample {
  int64_t prompt = 0;  ///< which one, from 0
  int64_t prompt_tokens = 0;
  int64_t response_tokens = 0;

  int64_t tokens() const { return prompt_tokens + response_tokens; }
};

/// The samples of a step, prompt after prompt. InputError where a law of lengths can't be drawn
/// from.
std::vector<Sample> draw_samples(const Recipe& recipe, uint64_t seed);

/// The part `index` of `parts` of [0, count), as even as can be and in order, none empty where
/// count >= parts.
struct Share {
  int64_t begin;
  int64_t end;
};
Share share_of(int64_t count, int64_t parts, int64_t index);

}  // namespace nibblecore
