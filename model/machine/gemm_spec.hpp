// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/formats/accumulation.hpp"
#include "model/formats/block_format.hpp"
#include "model/formats/macro_scales.hpp"
#include "model/formats/residual.hpp"

namespace nibblecore {

/// How an operand reaches the core: packed along K, or in its input width, to be quantized between
/// L1 and L0.
enum class OperandPath { kPacked, kOnlineBf16, kOnlineFp32 };

/// Bytes of a value of an online operand; InternalError for a packed one.
int64_t input_bytes(OperandPath path);

/// Which operands of a GEMM are online.
enum class Online { kNone, kA, kB, kBoth };

struct OnlineRecord {
  std::string_view name;
  Online online;
};
inline constexpr std::array<OnlineRecord, 4> kOnlines{
    {{"none", Online::kNone}, {"a", Online::kA}, {"b", Online::kB}, {"both", Online::kBoth}}};

/// The operands of this name; InputError naming the known ones otherwise.
Online online(std::string_view name);
std::string_view name_of(Online online);

/// Where A's residual is summed (outlier fallback, arXiv 2605.20402, has kOwn).
enum class ResidualAccumulator {
  kShared,  ///< with A, in one FP32 an output
  kOwn,     ///< in a second FP32 an output, which the store path adds under a factor
};

/// What the accumulators start from.
enum class Start { kZero, kFromMemory };

/// What the store path writes.
enum class OutputWidth { kFp32, kBf16 };

struct OutputWidthRecord {
  std::string_view name;
  OutputWidth width;
};
inline constexpr std::array<OutputWidthRecord, 2> kOutputWidths{
    {{"fp32", OutputWidth::kFp32}, {"bf16", OutputWidth::kBf16}}};

/// The width of this name; InputError naming the known ones otherwise.
OutputWidth output_width(std::string_view name);
std::string_view name_of(OutputWidth width);

/// FP32 bits as the store path writes them, by the formats' definition; BF16 in the upper half.
void round_to_output(OutputWidth width, std::vector<uint32_t>& bits);

/// Whether the core has an adder for this policy.
constexpr bool has_adder(Accumulation accumulation) {
  return accumulation == Accumulation::kFp32Rne || accumulation == Accumulation::kBlackwell ||
         accumulation == Accumulation::kBlackwellV1;
}

/// One GEMM C[m, n] = A[m, k] B[n, k]^T as a core sees it, without its values.
struct GemmSpec {
  int64_t m;
  int64_t n;
  int64_t k;
  BlockFormat format;
  OperandPath a = OperandPath::kPacked;
  OperandPath b = OperandPath::kPacked;
  ResidualPattern residual = ResidualPattern::kNone;  ///< of A, which then is online
  ResidualBuild residual_build = ResidualBuild::kSerial;
  ResidualOrder residual_order = ResidualOrder::kInterleaved;
  ResidualAccumulator residual_accumulator = ResidualAccumulator::kShared;
  /// Elements of K under one FP16 factor, a multiple of the machine's depth; 0: no factors. They
  /// come with packed operands only.
  int64_t macro_length = 0;
  bool a_has_factors = false;
  bool b_has_factors = false;
  MacroEpilogue macro_epilogue = MacroEpilogue::kFused;
  Start start = Start::kZero;
  OutputWidth output = OutputWidth::kFp32;
  /// By which accumulators take in their blocks; one that has_adder().
  Accumulation accumulation = Accumulation::kFp32Rne;

  /// Blocks along K.
  int64_t blocks() const { return (k + format.block - 1) / format.block; }
};

}  // namespace nibblecore
