// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/formats/block_format.hpp"

namespace nibblecore {

/// How block values are summed into the FP32 result; K ascends in all of them.
enum class Accumulation {
  kFp32Rne,            ///< one rounding (nearest even) after every scale block
  kFp32Fused,          ///< the blocks of each 64 of K and the accumulator added exactly, one RNE
  kBlackwell,          ///< aligned and truncated sums of 64 of K, zero rule v2.1
  kBlackwellV1,        ///< the same under the older zero rule
  kBlackwellMxf8f6f4,  ///< aligned and truncated sums of 32 single products
  kExact,              ///< the whole K sum, rounded once
};

/// What a policy's definition rests on.
enum class PolicyBasis {
  kContract,        ///< this project's own, exact definition
  kPublishedModel,  ///< a published model of hardware, compared with its authors' results
  kUntestedModel,   ///< a published model, without results for FP4 operands to compare with
};

struct AccumulationRecord {
  std::string_view name;
  Accumulation accumulation;
  PolicyBasis basis;
  std::string_view meaning;
};

inline constexpr std::array<AccumulationRecord, 6> kAccumulations{{
    {"fp32-rne", Accumulation::kFp32Rne, PolicyBasis::kContract,
     "accumulator = RNE_FP32(accumulator + exact block dot), block after block"},
    {"fp32-fused", Accumulation::kFp32Fused, PolicyBasis::kContract,
     "the blocks of each 64 of K and the accumulator added exactly, one RNE"},
    {"blackwell", Accumulation::kBlackwell, PolicyBasis::kPublishedModel,
     "NVIDIA's block-scaled FP4 MMA: groups of 16 and the accumulator aligned, truncated to 35 "
     "fraction bits and added for each 64 of K, truncated to FP32; zero rule v2.1"},
    {"blackwell-v1", Accumulation::kBlackwellV1, PolicyBasis::kPublishedModel,
     "blackwell under the first published zero rule"},
    {"blackwell-mxf8f6f4", Accumulation::kBlackwellMxf8f6f4, PolicyBasis::kUntestedModel,
     "NVIDIA's K = 32 kinds with FP4 operands: single products and the accumulator aligned, "
     "truncated to 25 fraction bits and added, truncated to FP32; scales of 1 give f8f6f4"},
    {"exact", Accumulation::kExact, PolicyBasis::kContract, "the whole K sum exactly, one RNE"},
}};

/// Width in K of one fused addition; numeric, independent of any machine's depth.
inline constexpr int kFusedWidth = 64;

/// What truncation took from one output, as bits of a byte: from a term that was aligned to a
/// larger one, and from a sum that became FP32. 0 under policies that round to nearest.
inline constexpr uint8_t kAlignmentLoss = 1;
inline constexpr uint8_t kResultLoss = 2;

/// The policy of this name; InputError naming the known ones otherwise.
Accumulation accumulation(std::string_view name);

/// The name of a policy.
std::string_view name_of(Accumulation accumulation);

/// Elements of K that a policy adds before it rounds: a block, 64, 32, or 0 for the whole K.
int node_width(Accumulation accumulation, const BlockFormat& format);

/// Whether sums are truncated toward zero, not rounded to nearest.
bool is_truncating(Accumulation accumulation);

/// FP32 bits of every NaN that a policy gives.
uint32_t nan_of(Accumulation accumulation);

/// InputError where a policy has no arithmetic for a format: `blackwell*` take E2M1 elements in
/// blocks of 16 or 32, `blackwell-mxf8f6f4` those under E8M0 in blocks of 32.
void require_format_of(Accumulation accumulation, const BlockFormat& format);

}  // namespace nibblecore
