// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace nibblecore {

/// How far a figure of a machine can be trusted.
enum class Confidence { kPublished, kSecondHand, kComputed, kFromMemory, kAssumed };

struct ConfidenceRecord {
  std::string_view name;  ///< the mark in machine files
  Confidence confidence;
  std::string_view meaning;
};

inline constexpr std::array<ConfidenceRecord, 5> kConfidences{{
    {"P", Confidence::kPublished, "published: vendor page, platform file or paper"},
    {"S", Confidence::kSecondHand, "second-hand: others quote it"},
    {"C", Confidence::kComputed, "computed from other figures"},
    {"K", Confidence::kFromMemory, "from memory: check before citing"},
    {"A", Confidence::kAssumed, "assumed by this project or by the file's author"},
}};

/// The record of a mark.
constexpr const ConfidenceRecord& confidence_record(Confidence confidence) {
  return kConfidences[static_cast<std::size_t>(confidence)];
}

}  // namespace nibblecore
