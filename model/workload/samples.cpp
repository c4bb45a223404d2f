// SPDX-License-Identifier: Apache-2.0
#include "model/workload/samples.hpp"

#include "model/common/random_stream.hpp"
#include "model/workload/workload_random.hpp"

namespace nibblecore {

std::vector<Sample> draw_samples(const Recipe& recipe, uint64_t seed) {
  const RandomStream prompts = workload_random(seed, WorkloadDraw::kPromptLengths);
  const RandomStream responses = workload_random(seed, WorkloadDraw::kResponseLengths);
  std::vector<Sample> samples;
  samples.reserve(static_cast<size_t>(recipe.prompts * recipe.samples));
  for (int64_t prompt = 0; prompt < recipe.prompts; ++prompt) {
    const int64_t prompt_tokens = draw_length(
        recipe.prompt_tokens, prompts, static_cast<uint64_t>(prompt), "recipe, prompt_tokens");
    for (int64_t copy = 0; copy < recipe.samples; ++copy) {
      const auto index = static_cast<uint64_t>(samples.size());
      samples.push_back(
          {prompt, prompt_tokens,
           draw_length(recipe.response_tokens, responses, index, "recipe, response_tokens")});
    }
  }
  return samples;
}

Share share_of(int64_t count, int64_t parts, int64_t index) {
  const auto edge = [&](int64_t part) { return (count * part + parts - 1) / parts; };
  return {edge(index), edge(index + 1)};
}

}  // namespace nibblecore
