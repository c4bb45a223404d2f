// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/formats/accumulation.hpp"
#include "model/formats/block_format.hpp"

namespace nibblecore::hw {

/// Every bus and register of the datapath that a probe can watch or change, in the order of data.
/// "residual" are the lanes of the 2:4 residual; a residual that is not 2:4 passes the array's own.
enum class Site {
  // Registers behind L0A and L0B.
  kACode,
  kALevel2,
  kALevel3,
  kAScale,
  kBCode,
  kBLevel2,
  kBLevel3,
  kBScale,
  kResidualCode,
  kResidualIndex,
  kResidualLevel2,
  kResidualLevel3,
  // Decoders, gather multiplexers, multipliers.
  kAElement,
  kBElement,
  kResidualElement,
  kGathered,
  kProduct,
  kResidualProduct,
  // Adder trees.
  kGroupSum,
  kShiftedSum,
  kHalfSum,
  kBlockSum16,
  kBlockSum32,
  kBlockSum64,
  kUnitSum,
  kResidualGroupSum,
  kResidualShiftedSum,
  kResidualHalfSum,
  kResidualBlockSum16,
  kResidualBlockSum32,
  kResidualBlockSum64,
  kResidualUnitSum,
  kGroupNonzero,
  // Scale multiplier.
  kAScaleSignificand,
  kAScaleExponent,
  kAScaleNan,
  kBScaleSignificand,
  kBScaleExponent,
  kBScaleNan,
  kScaleSignificand,
  kScaleExponent,
  kScaleNan,
  // Accumulator: term, aligner, adder, rounder, register.
  kTerm,
  kExponentDifference,
  kAddendHigh,
  kAddendLow,
  kAlignedHigh,
  kAlignedLow,
  kAlignedSum,
  kLeadingZeros,
  kWindow,
  kLastExponent,
  kKept,
  kGuard,
  kSticky,
  kRounded,
  kExponentField,
  kAdderResult,
  // The accumulator's node under `blackwell` policies.
  kNodeTerm,
  kNodeExponent,
  kNodeStartExponent,
  kNodeGreatest,
  kNodeShift,
  kNodeStartShift,
  kNodeAligned,
  kNodeAlignedStart,
  kNodeSum,
  kNodeLeadingZeros,
  kNodeLastExponent,
  kNodeKept,
  kNodeExponentField,
  kNodeResult,
  kAccumulator,
  kResidualAccumulator,
  // Macro blocks: registers behind L0, factor multiplier, sums, and the circuit that takes those
  // in,
  // in the order of FmaBus.
  kAFactor,
  kBFactor,
  kFactorSignificand,
  kFactorExponent,
  kTileSum,
  kResidualTileSum,
  kEpilogueProduct,
  kEpilogueExponentDifference,
  kEpilogueHigh,
  kEpilogueLow,
  kEpilogueAlignedLow,
  kEpilogueSum,
  kEpilogueLeadingZeros,
  kEpilogueWindow,
  kEpilogueLastExponent,
  kEpilogueKept,
  kEpilogueGuard,
  kEpilogueSticky,
  kEpilogueRounded,
  kEpilogueExponentField,
  kEpilogueResult,
  // Store path: fused multiplier and adder of the residual's accumulator, in the order of FmaBus;
  // factor; converter.
  kFmaProduct,
  kFmaExponentDifference,
  kFmaHigh,
  kFmaLow,
  kFmaAlignedLow,
  kFmaSum,
  kFmaLeadingZeros,
  kFmaWindow,
  kFmaLastExponent,
  kFmaKept,
  kFmaGuard,
  kFmaSticky,
  kFmaRounded,
  kFmaExponentField,
  kFmaResult,
  kStoreProduct,
  kStoreBf16,
  // Online quantizer.
  kQuantizerMagnitude,
  kQuantizerMaximum4,
  kQuantizerMaximum8,
  kQuantizerMaximum,
  kQuantizerScale,
  kQuantizerReciprocal,
  kQuantizerMicroProduct,
  kQuantizerLevel2,
  kQuantizerLevel3,
  kQuantizerScaled,
  kQuantizerShift,
  kQuantizerKept,
  kQuantizerGuard,
  kQuantizerSticky,
  kQuantizerCode,
  // Residual stage of the quantizer.
  kDecoded,
  kDifference,
  kMaskedCode,
  kSelectedCode,
  kSelectedIndices,
};
inline constexpr int kSites = static_cast<int>(Site::kSelectedIndices) + 1;

enum class Signedness { kUnsigned, kSigned };

/// What the instances of a bus are counted by. An index is that of an array of these dimensions,
/// the last one fastest: [k, row] is k * rows + row.
enum class SiteAxes {
  kKByRow,                 ///< [depth, row]
  kEightByRow,             ///< [depth / 8, row]
  kQuadByRow,              ///< [depth / 4, row]
  kBlockByRow,             ///< [blocks that a step can hold of A, row]
  kKByColumn,              ///< [2 x depth, column]
  kEightByColumn,          ///< [2 x depth / 8, column]
  kQuadByColumn,           ///< [2 x depth / 4, column]
  kBlockByColumn,          ///< [blocks of 2 x depth, column]
  kKeptByRow,              ///< [kept elements of 2 x depth, row]
  kResidualEightByRow,     ///< [2 x depth / 8, row]
  kResidualQuadByRow,      ///< [2 x depth / 4, row]
  kKByOutput,              ///< [depth, row, column]
  kEightByOutput,          ///< [depth / 8, row, column]
  kHalfByOutput,           ///< [depth / 32, row, column]
  kBlockByOutput,          ///< [blocks of depth, row, column]
  kKeptByOutput,           ///< [kept elements of 2 x depth, row, column]
  kResidualEightByOutput,  ///< [2 x depth / 8, row, column]
  kResidualHalfByOutput,   ///< [2 x depth / 32, row, column]
  kResidualBlockByOutput,  ///< [blocks of 2 x depth, row, column]
  kStepBlockByOutput,      ///< [blocks that a step can hold of A, row, column]
  kSixteenByOutput,        ///< [depth / 16, row, column]
  kNodeGroupByOutput,      ///< [group of a node, row, column]
  kOutput,                 ///< [row, column]
  kRegister,               ///< [half of L0C, tile, row, column]
  kRow,                    ///< [row]
  kMacroByColumn,          ///< [macro block of a step, column]
  kColumn,                 ///< [column]
  kQuantizer,              ///< [block of a beat, circuit]; QuantizerCircuit
  kQuantizerQuads,         ///< [block of a beat, circuit, block / 4]
  kQuantizerEights,        ///< [block of a beat, circuit, block / 8]
  kQuantizerMicro,         ///< [block of a beat, circuit, 8 eights and 16 quads]
  kQuantizerElement,       ///< [block of a beat, circuit, block]
  kResidualStageElement,   ///< [block of a beat, block]
  kResidualStageKept,      ///< [block of a beat, block / 2]
  kResidualStageQuad,      ///< [block of a beat, block / 4]
};

/// The quantizer of A, the second one behind it that quantizes A's residual, and that of B.
enum class QuantizerCircuit { kA, kResidual, kB };
inline constexpr int kQuantizerCircuits = 3;

/// Which data passes a bus: of which formats, and under which policies.
enum class SiteUse {
  kAll,
  kE2m1Block16,  ///< under policies that add block after block, as the next two
  kE2m1Block32,
  kE2m1Block64,
  kE2m1Sixteens,  ///< sums of 16: blocks of 16, or under `blackwell` policies any
  kHif4,
  kScaledElements,
  kBlocks,  ///< under policies that add block after block; those alone have residuals
  kNodes,   ///< under `blackwell` policies
};

struct SiteRecord {
  Site site;
  std::string_view name;
  int bits;  ///< the sign included
  Signedness signedness;
  SiteAxes axes;
  SiteUse use;
  std::string_view where;
};

/// The record of a site.
const SiteRecord& site_record(Site site);

/// Records of all sites, in the order of the enumeration.
const std::array<SiteRecord, kSites>& site_records();

/// What the number of a bus's instances follows from.
struct SiteExtents {
  int rows;
  int columns;
  int depth;
  BlockFormat format;
  int64_t beat_blocks;     ///< blocks that enter a quantizer at once
  int64_t register_tiles;  ///< tiles in both halves of L0C
  Accumulation accumulation = Accumulation::kFp32Rne;
};

/// Instances of a bus in a core, 0 where data of this format and policy never passes it. Indices
/// are 0 to this less 1.
int64_t site_instances(Site site, const SiteExtents& extents);

/// What dimensions an index has, in words: "k, row".
std::string_view axes_text(SiteAxes axes);

}  // namespace nibblecore::hw
