// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/common/random_stream.hpp"

namespace nibblecore {

enum class LengthLawKind { kFixed, kUniform, kTruncatedLogNormal, kClippedLogNormal };

struct LengthLawRecord {
  std::string_view name;
  LengthLawKind kind;
};

inline constexpr std::array<LengthLawRecord, 4> kLengthLaws{
    {{"fixed", LengthLawKind::kFixed},
     {"uniform", LengthLawKind::kUniform},
     {"truncated-lognormal", LengthLawKind::kTruncatedLogNormal},
     {"clipped-lognormal", LengthLawKind::kClippedLogNormal}}};

/// How many tokens a prompt or a response has. A log-normal length is the nearest integer of
/// median * e^(sigma z); outside `least` to `most` it is drawn again (truncated: prompts that are
/// too long are left out of a data set) or cut to the nearer end (clipped: generation stops there).
struct LengthLaw {
  LengthLawKind kind = LengthLawKind::kFixed;
  double median = 1;
  double sigma = 0;
  int64_t least = 1;
  int64_t most = 1;  ///< of a fixed length both are that length
};

/// The length of element `index`, a pure function of the stream and the index. InputError at
/// `place` where a truncated law gives hardly any length inside its range.
int64_t draw_length(const LengthLaw& law, const RandomStream& random, uint64_t index,
                    const std::string& place);

}  // namespace nibblecore
