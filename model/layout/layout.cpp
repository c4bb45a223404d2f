// SPDX-License-Identifier: Apache-2.0
#include "model/layout/layout.hpp"

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

constexpr FormatSet kAll{true, true, true};
constexpr FormatSet kE2m1Formats{true, false, true};
constexpr FormatSet kMxfp4Alone{true, false, false};
constexpr FormatSet kHif4Alone{false, true, false};

constexpr std::array<Layout, 14> kLayouts{{
    {"low-first", kAll, CodeOrder::kLowFirst, CodePlace::kRows, ScalePlace::kRows, kPtoWord,
     "byte b: element 2b low, 2b+1 high; scales row after row; HiF4 scales as in pto",
     "torchao, TransformerEngine, aiter, triton, cutlass, FP-Quant, PTO ISA; MXFP4 checkpoints of "
     "two codes a byte: inferred"},
    {"high-first", kAll, CodeOrder::kHighFirst, CodePlace::kRows, ScalePlace::kRows, kPtoWord,
     "byte b: element 2b high, 2b+1 low; scales as in low-first",
     "nibbles of the HiFloat4 research script; with these scales: this project"},
    {"split-halves", kE2m1Formats, CodeOrder::kSplitHalves, CodePlace::kRows, ScalePlace::kRows,
     kPtoWord, "within a block of n: byte b: element b low, b+n/2 high; scales as in low-first",
     "nibbles of ggml; with scales apart: this project"},
    {"unpacked", kAll, CodeOrder::kUnpacked, CodePlace::kRows, ScalePlace::kRows, kPtoWord,
     "one code a byte, bits 3..0; scales as in low-first", "ml_dtypes, golden vectors"},
    {"gguf", kE2m1Formats, CodeOrder::kSplitHalves, CodePlace::kInRecords, ScalePlace::kInRecords,
     kPtoWord,
     "records: MXFP4 17 bytes, scale and 16 of split halves; NVFP4 36 bytes, 4 scales and 4 times "
     "8 of split halves; K divides by 32 and by 64; a tensor scale stays outside",
     "ggml d99724f2: block_mxfp4, block_nvfp4"},
    {"swizzle-128x4", kE2m1Formats, CodeOrder::kLowFirst, CodePlace::kRows,
     ScalePlace::kSwizzle128x4, kPtoWord,
     "codes as in low-first; scales in tiles of 128 rows x 4 blocks, padded with zeros: 512 bytes, "
     "scale (r, c) of a tile at r mod 32 * 16 + r div 32 * 4 + c",
     "cuBLAS, cutlass, torchao, TransformerEngine"},
    {"ascend-pairs", kMxfp4Alone, CodeOrder::kLowFirst, CodePlace::kRows, ScalePlace::kPairs,
     kPtoWord,
     "codes as in low-first; scales [rows, ceil(K/64), 2]; the byte 0 that pads an odd count: "
     "inferred",
     "CANN"},
    {"pto", kHif4Alone, CodeOrder::kLowFirst, CodePlace::kRows, ScalePlace::kRows, kPtoWord,
     "scale a little-endian U32: E6M2 in bits 7..0, E1_8 in 15..8, E1_16 in 31..16, group g at "
     "bit g of its field; the bytes of low-first",
     "PTO ISA (normative), SuperNPU"},
    {"cann", kHif4Alone, CodeOrder::kLowFirst, CodePlace::kRows, ScalePlace::kRows, kPtoWord,
     "scale bytes E6M2, E1_8, E1_16 of groups 0..7, of 8..15, group g at bit g mod 8: the bytes of "
     "pto",
     "CANN operators' golden data, DT_HIFLOAT4 and DT_HIFLOAT4_SCALE"},
    {"a6-zz", kHif4Alone, CodeOrder::kLowFirst, CodePlace::kRows, ScalePlace::kCells16, kPtoWord,
     "codes as in low-first; scales in cells [rows/16, K/64] of 64 bytes: E6M2 and E1_8 of 16 "
     "rows, "
     "then E1_16 low and high of them; rows padded to 16 with zeros: inferred",
     "PTO ISA, cube layouts HIF4_A_ZZ and HIF4_B_NN"},
    {"a6-nz", kHif4Alone, CodeOrder::kLowFirst, CodePlace::kColumns, ScalePlace::kCells16, kPtoWord,
     "scales as in a6-zz; codes [K/64, rows, 64 elements]; low-first nibbles and rows without "
     "padding: inferred",
     "PTO ISA, L1 form of the cube's operands"},
    {"amct", kHif4Alone, CodeOrder::kLowFirst, CodePlace::kRows, ScalePlace::kRows, kAmctWord,
     "scale bytes E6M2, E1_8, E1_16 of groups 0..7, of 8..15, group 0 of a byte at bit 7",
     "hicann/amct 2be20daf"},
    {"msmodelslim", kHif4Alone, CodeOrder::kLowFirst, CodePlace::kRows, ScalePlace::kRows,
     kMsModelSlimWord,
     "scale an int32 (kept in a float32 tensor): E6M2 << 24 | E1_8 << 16 | E1_16, group 0 at the "
     "top bit of its field; that E1_16 is reversed as 16 bits and little-endian memory: inferred; "
     "its vllm-ascend reader takes an E6M2 bias of 31, not 48",
     "msModelSlim, on disk"},
    {"hifloat4-research", kHif4Alone, CodeOrder::kHighFirst, CodePlace::kRows, ScalePlace::kRows,
     kHiFloat4ResearchWord,
     "scale two u16: E6M2 << 8 | E1_8, then E1_16, group 0 at the top bit of its field; that E1_16 "
     "is reversed as 16 bits and little-endian memory: inferred; codes as in high-first",
     "HiFloat4 research script, a dump that is commented out there"},
}};

bool same_format(const BlockFormat& left, const BlockFormat& right) {
  return left.name == right.name && left.element == right.element && left.scale == right.scale &&
         left.block == right.block;
}

}  // namespace

bool FormatSet::contains(const BlockFormat& format) const {
  return (mxfp4 && same_format(format, kMxfp4)) || (hif4 && same_format(format, kHif4)) ||
         (nvfp4 && same_format(format, kNvfp4));
}

const std::array<Layout, 14>& layouts() { return kLayouts; }

std::string layout_names(const BlockFormat& format) {
  std::string names;
  for (const Layout& candidate : kLayouts) {
    if (candidate.formats.contains(format)) {
      names += (names.empty() ? "" : ", ") + std::string(candidate.name);
    }
  }
  return names;
}

const Layout& layout(const BlockFormat& format, std::string_view name) {
  for (const Layout& candidate : kLayouts) {
    if (candidate.name == name && candidate.formats.contains(format)) {
      return candidate;
    }
  }
  throw InputError("--layout", "unknown layout '" + std::string(name) + "' of " +
                                   std::string(format.name) + " (known: " + layout_names(format) +
                                   ")");
}

}  // namespace nibblecore
