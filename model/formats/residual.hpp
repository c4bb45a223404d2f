// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace nibblecore {

/// Which elements of the quantized residual of a GEMM's first operand take part (Rollout-ResQ,
/// arXiv 2607.26515: Y = Q(X) Q(W)^T + S(Q(X - Q(X))) Q(W)^T); S is the pattern.
enum class ResidualPattern {
  kNone,            ///< there is no residual
  kTwoOfFour,       ///< the two largest of every four along K
  kDense,           ///< all of them
  kChannel50,       ///< half of the channels (positions along K)
  kBlock32x64At50,  ///< half of the tiles of 32 rows by 64 channels
};

/// Where the hardware multiplies the residual.
enum class ResidualBuild {
  kSerial,    ///< a second pass through the array, at twice the rate
  kParallel,  ///< lanes of its own beside the array
};

/// When a residual block follows its dense block.
enum class ResidualOrder {
  kInterleaved,  ///< within each granule of K
  kAppended,     ///< after the whole row
};

/// Which GEMMs get a residual of their operand A.
enum class ResidualScope {
  kRollout,  ///< fprop of the rollout phases
  kFprop,    ///< fprop of every phase
  kAll,      ///< fprop, dgrad and wgrad
};

/// Size of the tiles of kBlock32x64At50; those at the edges are smaller.
inline constexpr int64_t kResidualTileRows = 32;
inline constexpr int64_t kResidualTileChannels = 64;

struct ResidualPatternRecord {
  std::string_view name;
  ResidualPattern pattern;
  std::string_view meaning;
};
inline constexpr std::array<ResidualPatternRecord, 5> kResidualPatterns{{
    {"none", ResidualPattern::kNone, "no residual"},
    {"2:4", ResidualPattern::kTwoOfFour, "the two largest magnitudes of every 4 along K"},
    {"dense", ResidualPattern::kDense, "every element"},
    {"channel-50", ResidualPattern::kChannel50, "half of the K channels, by L2 over all rows"},
    {"block-32x64-50", ResidualPattern::kBlock32x64At50,
     "half of the tiles of 32 rows by 64 channels, by L2"},
}};

struct ResidualBuildRecord {
  std::string_view name;
  ResidualBuild build;
};
inline constexpr std::array<ResidualBuildRecord, 2> kResidualBuilds{
    {{"serial", ResidualBuild::kSerial}, {"parallel", ResidualBuild::kParallel}}};

struct ResidualOrderRecord {
  std::string_view name;
  ResidualOrder order;
};
inline constexpr std::array<ResidualOrderRecord, 2> kResidualOrders{
    {{"interleaved", ResidualOrder::kInterleaved}, {"appended", ResidualOrder::kAppended}}};

struct ResidualScopeRecord {
  std::string_view name;
  ResidualScope scope;
};
inline constexpr std::array<ResidualScopeRecord, 3> kResidualScopes{
    {{"rollout", ResidualScope::kRollout},
     {"fprop", ResidualScope::kFprop},
     {"all", ResidualScope::kAll}}};

/// The record's value of this command-line name; InputError naming the known ones otherwise.
ResidualPattern residual_pattern(std::string_view name);
ResidualBuild residual_build(std::string_view name);
ResidualOrder residual_order(std::string_view name);
ResidualScope residual_scope(std::string_view name);

/// The names back.
std::string_view name_of(ResidualPattern pattern);
std::string_view name_of(ResidualBuild build);
std::string_view name_of(ResidualOrder order);
std::string_view name_of(ResidualScope scope);

/// Elements of K after whose dense blocks the residual blocks of the same elements follow:
/// interleaved 64 (parallel) or 128 (serial, whose pass takes two steps' worth at once), appended
/// the whole row of `k`.
int64_t residual_granule(ResidualBuild build, ResidualOrder order, int64_t k);

}  // namespace nibblecore
