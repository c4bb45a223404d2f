// SPDX-License-Identifier: Apache-2.0
#include "model/import/annotation.hpp"

#include <array>
#include <charconv>
#include <utility>

namespace nibblecore {
namespace {

// compute_log_prob and compute_ref_log_prob both.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kWorkerPhases{{
    {"generate_sequences", "rollout"},
    {"log_prob", "logprob"},
    {"update_actor", "train"},
}};

constexpr std::array<std::string_view, 5> kOwnPhases{"rollout", "rollout.prefill", "logprob",
                                                     "train", "train.recompute"};

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool is_number(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::optional<std::string> phase_of_annotation(std::string_view name) {
  constexpr std::string_view kDecode = "rollout.decode";
  if (starts_with(name, kDecode) && name.size() <= kDecode.size() + 18 &&
      is_number(name.substr(kDecode.size()))) {
    return std::string(name);
  }
  for (const std::string_view phase : kOwnPhases) {
    if (name == phase) {
      return std::string(phase);
    }
  }
  for (const auto& [word, phase] : kWorkerPhases) {
    if (name.find(word) != std::string_view::npos) {
      return std::string(phase);
    }
  }
  return std::nullopt;
}

std::optional<int64_t> step_of_annotation(std::string_view name) {
  constexpr std::string_view kPrefix = "ProfilerStep#";
  if (!starts_with(name, kPrefix)) {
    return std::nullopt;
  }
  int64_t step = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + kPrefix.size(), end, step);
  return error == std::errc() && stop == end && step >= 0 ? std::optional(step) : std::nullopt;
}

}  // namespace nibblecore
