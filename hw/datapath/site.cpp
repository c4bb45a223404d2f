// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/site.hpp"

#include "hw/channel/payload.hpp"
#include "hw/datapath/blackwell_node.hpp"
#include "model/common/error.hpp"

namespace nibblecore::hw {
namespace {

constexpr Signedness kUnsigned = Signedness::kUnsigned;
constexpr Signedness kSigned = Signedness::kSigned;

// Widths of signed buses are those of width.hpp and quantizer_widths.hpp with the sign; a bus that
// is never negative has no sign.
constexpr std::array<SiteRecord, kSites> kRecords{{
    {Site::kACode, "a.code", 4, kUnsigned, SiteAxes::kKByRow, SiteUse::kAll, "register behind L0A"},
    {Site::kALevel2, "a.level2", 1, kUnsigned, SiteAxes::kEightByRow, SiteUse::kHif4,
     "register behind L0A"},
    {Site::kALevel3, "a.level3", 1, kUnsigned, SiteAxes::kQuadByRow, SiteUse::kHif4,
     "register behind L0A"},
    {Site::kAScale, "a.scale", 8, kUnsigned, SiteAxes::kBlockByRow, SiteUse::kAll,
     "register behind L0A"},
    {Site::kBCode, "b.code", 4, kUnsigned, SiteAxes::kKByColumn, SiteUse::kAll,
     "register behind L0B"},
    {Site::kBLevel2, "b.level2", 1, kUnsigned, SiteAxes::kEightByColumn, SiteUse::kHif4,
     "register behind L0B"},
    {Site::kBLevel3, "b.level3", 1, kUnsigned, SiteAxes::kQuadByColumn, SiteUse::kHif4,
     "register behind L0B"},
    {Site::kBScale, "b.scale", 8, kUnsigned, SiteAxes::kBlockByColumn, SiteUse::kAll,
     "register behind L0B"},
    {Site::kResidualCode, "residual.code", 4, kUnsigned, SiteAxes::kKeptByRow, SiteUse::kBlocks,
     "register behind L0A"},
    {Site::kResidualIndex, "residual.index", 2, kUnsigned, SiteAxes::kKeptByRow, SiteUse::kBlocks,
     "register behind L0A: select of the gather multiplexers"},
    {Site::kResidualLevel2, "residual.level2", 1, kUnsigned, SiteAxes::kResidualEightByRow,
     SiteUse::kHif4, "register behind L0A"},
    {Site::kResidualLevel3, "residual.level3", 1, kUnsigned, SiteAxes::kResidualQuadByRow,
     SiteUse::kHif4, "register behind L0A"},
    {Site::kAElement, "a.element", 5, kSigned, SiteAxes::kKByRow, SiteUse::kAll, "decoder"},
    {Site::kBElement, "b.element", 5, kSigned, SiteAxes::kKByColumn, SiteUse::kAll, "decoder"},
    {Site::kResidualElement, "residual.element", 5, kSigned, SiteAxes::kKeptByRow, SiteUse::kBlocks,
     "decoder"},
    {Site::kGathered, "residual.gathered", 5, kSigned, SiteAxes::kKeptByOutput, SiteUse::kBlocks,
     "gather multiplexer"},
    {Site::kProduct, "product", 9, kSigned, SiteAxes::kKByOutput, SiteUse::kAll, "multiplier"},
    {Site::kResidualProduct, "residual.product", 9, kSigned, SiteAxes::kKeptByOutput,
     SiteUse::kBlocks, "multiplier"},
    {Site::kGroupSum, "group_sum", 12, kSigned, SiteAxes::kEightByOutput, SiteUse::kAll,
     "adder tree, 8 of K"},
    {Site::kShiftedSum, "shifted_sum", 14, kSigned, SiteAxes::kEightByOutput, SiteUse::kHif4,
     "shifter by level 2"},
    {Site::kHalfSum, "half_sum", 16, kSigned, SiteAxes::kHalfByOutput, SiteUse::kHif4,
     "adder tree, 32 of K"},
    {Site::kBlockSum16, "block_sum16", 13, kSigned, SiteAxes::kSixteenByOutput,
     SiteUse::kE2m1Sixteens, "adder tree"},
    {Site::kBlockSum32, "block_sum32", 14, kSigned, SiteAxes::kBlockByOutput, SiteUse::kE2m1Block32,
     "adder tree"},
    {Site::kBlockSum64, "block_sum64", 15, kSigned, SiteAxes::kBlockByOutput, SiteUse::kE2m1Block64,
     "adder tree"},
    {Site::kUnitSum, "unit_sum", 17, kSigned, SiteAxes::kBlockByOutput, SiteUse::kHif4,
     "adder tree"},
    {Site::kResidualGroupSum, "residual.group_sum", 11, kSigned, SiteAxes::kResidualEightByOutput,
     SiteUse::kBlocks, "adder tree, 8 of K"},
    {Site::kResidualShiftedSum, "residual.shifted_sum", 13, kSigned,
     SiteAxes::kResidualEightByOutput, SiteUse::kHif4, "shifter by level 2"},
    {Site::kResidualHalfSum, "residual.half_sum", 15, kSigned, SiteAxes::kResidualHalfByOutput,
     SiteUse::kHif4, "adder tree, 32 of K"},
    {Site::kResidualBlockSum16, "residual.block_sum16", 12, kSigned,
     SiteAxes::kResidualBlockByOutput, SiteUse::kE2m1Block16, "adder tree"},
    {Site::kResidualBlockSum32, "residual.block_sum32", 13, kSigned,
     SiteAxes::kResidualBlockByOutput, SiteUse::kE2m1Block32, "adder tree"},
    {Site::kResidualBlockSum64, "residual.block_sum64", 14, kSigned,
     SiteAxes::kResidualBlockByOutput, SiteUse::kE2m1Block64, "adder tree"},
    {Site::kResidualUnitSum, "residual.unit_sum", 16, kSigned, SiteAxes::kResidualBlockByOutput,
     SiteUse::kHif4, "adder tree"},
    {Site::kGroupNonzero, "nonzero16", 1, kUnsigned, SiteAxes::kSixteenByOutput, SiteUse::kNodes,
     "whether one of 16 products is not zero"},
    {Site::kAScaleSignificand, "a.scale_significand", 4, kUnsigned, SiteAxes::kBlockByRow,
     SiteUse::kAll, "scale decoder"},
    {Site::kAScaleExponent, "a.scale_exponent", 8, kSigned, SiteAxes::kBlockByRow, SiteUse::kAll,
     "scale decoder"},
    {Site::kAScaleNan, "a.scale_nan", 1, kUnsigned, SiteAxes::kBlockByRow, SiteUse::kAll,
     "scale decoder"},
    {Site::kBScaleSignificand, "b.scale_significand", 4, kUnsigned, SiteAxes::kBlockByColumn,
     SiteUse::kAll, "scale decoder"},
    {Site::kBScaleExponent, "b.scale_exponent", 8, kSigned, SiteAxes::kBlockByColumn, SiteUse::kAll,
     "scale decoder"},
    {Site::kBScaleNan, "b.scale_nan", 1, kUnsigned, SiteAxes::kBlockByColumn, SiteUse::kAll,
     "scale decoder"},
    {Site::kScaleSignificand, "scale_significand", 8, kUnsigned, SiteAxes::kStepBlockByOutput,
     SiteUse::kAll, "scale multiplier"},
    {Site::kScaleExponent, "scale_exponent", 10, kSigned, SiteAxes::kStepBlockByOutput,
     SiteUse::kAll, "scale multiplier"},
    {Site::kScaleNan, "scale_nan", 1, kUnsigned, SiteAxes::kStepBlockByOutput, SiteUse::kAll,
     "scale multiplier"},
    {Site::kTerm, "term", 25, kSigned, SiteAxes::kOutput, SiteUse::kBlocks,
     "multiplier of sum and scale"},
    {Site::kExponentDifference, "adder.exponent_difference", 10, kSigned, SiteAxes::kOutput,
     SiteUse::kBlocks, "aligner"},
    {Site::kAddendHigh, "adder.high", 24, kUnsigned, SiteAxes::kOutput, SiteUse::kBlocks,
     "aligner in: addend of the greater exponent"},
    {Site::kAddendLow, "adder.low", 24, kUnsigned, SiteAxes::kOutput, SiteUse::kBlocks,
     "aligner in: the other addend"},
    {Site::kAlignedHigh, "adder.aligned_high", 51, kUnsigned, SiteAxes::kOutput, SiteUse::kBlocks,
     "aligner out, moved left"},
    {Site::kAlignedLow, "adder.aligned_low", 25, kSigned, SiteAxes::kOutput, SiteUse::kBlocks,
     "aligner out, moved right, with sticky and sign"},
    {Site::kAlignedSum, "adder.sum", 53, kSigned, SiteAxes::kOutput, SiteUse::kBlocks, "adder"},
    {Site::kLeadingZeros, "adder.leading_zeros", 6, kUnsigned, SiteAxes::kOutput, SiteUse::kBlocks,
     "leading-zero counter"},
    {Site::kWindow, "adder.window", 30, kUnsigned, SiteAxes::kOutput, SiteUse::kBlocks,
     "normaliser out, with sticky"},
    {Site::kLastExponent, "adder.last_exponent", 10, kSigned, SiteAxes::kOutput, SiteUse::kBlocks,
     "exponent of the result's last bit, above -149"},
    {Site::kKept, "adder.kept", 24, kUnsigned, SiteAxes::kOutput, SiteUse::kBlocks, "rounder"},
    {Site::kGuard, "adder.guard", 1, kUnsigned, SiteAxes::kOutput, SiteUse::kBlocks, "rounder"},
    {Site::kSticky, "adder.sticky", 1, kUnsigned, SiteAxes::kOutput, SiteUse::kBlocks, "rounder"},
    {Site::kRounded, "adder.rounded", 25, kUnsigned, SiteAxes::kOutput, SiteUse::kBlocks,
     "rounder"},
    {Site::kExponentField, "adder.field", 8, kUnsigned, SiteAxes::kOutput, SiteUse::kBlocks,
     "packer"},
    {Site::kAdderResult, "adder.result", 32, kUnsigned, SiteAxes::kOutput, SiteUse::kBlocks,
     "adder out"},
    {Site::kNodeTerm, "node.term", 20, kSigned, SiteAxes::kNodeGroupByOutput, SiteUse::kNodes,
     "multiplier of group sum and scale"},
    {Site::kNodeExponent, "node.exponent", 10, kSigned, SiteAxes::kNodeGroupByOutput,
     SiteUse::kNodes, "exponent of a group, behind the zero rule"},
    {Site::kNodeStartExponent, "node.start_exponent", 9, kSigned, SiteAxes::kOutput,
     SiteUse::kNodes, "exponent of the accumulator, behind the zero rule"},
    {Site::kNodeGreatest, "node.greatest", 10, kSigned, SiteAxes::kOutput, SiteUse::kNodes,
     "maximum tree of the exponents"},
    {Site::kNodeShift, "node.shift", 6, kUnsigned, SiteAxes::kNodeGroupByOutput, SiteUse::kNodes,
     "aligner, clamped distance of a group"},
    {Site::kNodeStartShift, "node.start_shift", 6, kUnsigned, SiteAxes::kOutput, SiteUse::kNodes,
     "aligner, clamped distance of the accumulator"},
    {Site::kNodeAligned, "node.aligned", 47, kSigned, SiteAxes::kNodeGroupByOutput, SiteUse::kNodes,
     "aligner out, a group's term, truncated"},
    {Site::kNodeAlignedStart, "node.aligned_start", 37, kSigned, SiteAxes::kOutput, SiteUse::kNodes,
     "aligner out, the accumulator, truncated"},
    {Site::kNodeSum, "node.sum", 49, kSigned, SiteAxes::kOutput, SiteUse::kNodes, "adder"},
    {Site::kNodeLeadingZeros, "node.leading_zeros", 6, kUnsigned, SiteAxes::kOutput,
     SiteUse::kNodes, "leading-zero counter"},
    {Site::kNodeLastExponent, "node.last_exponent", 10, kSigned, SiteAxes::kOutput, SiteUse::kNodes,
     "exponent of the result's last bit, above -149"},
    {Site::kNodeKept, "node.kept", 24, kUnsigned, SiteAxes::kOutput, SiteUse::kNodes,
     "truncated significand"},
    {Site::kNodeExponentField, "node.field", 8, kUnsigned, SiteAxes::kOutput, SiteUse::kNodes,
     "packer"},
    {Site::kNodeResult, "node.result", 32, kUnsigned, SiteAxes::kOutput, SiteUse::kNodes,
     "node out"},
    {Site::kAccumulator, "accumulator", 32, kUnsigned, SiteAxes::kRegister, SiteUse::kAll,
     "register of L0C"},
    {Site::kResidualAccumulator, "residual.accumulator", 32, kUnsigned, SiteAxes::kRegister,
     SiteUse::kBlocks, "register of L0C, where a residual has accumulators of its own"},
    {Site::kAFactor, "a.factor", 15, kUnsigned, SiteAxes::kRow, SiteUse::kAll,
     "register behind L0A"},
    {Site::kBFactor, "b.factor", 15, kUnsigned, SiteAxes::kMacroByColumn, SiteUse::kAll,
     "register behind L0B"},
    {Site::kFactorSignificand, "factor_significand", 22, kUnsigned, SiteAxes::kOutput,
     SiteUse::kAll, "factor multiplier"},
    {Site::kFactorExponent, "factor_exponent", 7, kSigned, SiteAxes::kOutput, SiteUse::kAll,
     "factor multiplier"},
    {Site::kTileSum, "tile_sum", 32, kUnsigned, SiteAxes::kRegister, SiteUse::kAll,
     "register of L0C, sum of a macro block"},
    {Site::kResidualTileSum, "residual.tile_sum", 32, kUnsigned, SiteAxes::kRegister,
     SiteUse::kBlocks, "register of L0C, the same of a residual that has accumulators of its own"},
    {Site::kEpilogueProduct, "epilogue.product", 46, kUnsigned, SiteAxes::kOutput, SiteUse::kAll,
     "epilogue, multiplier of tile sum and factor"},
    {Site::kEpilogueExponentDifference, "epilogue.exponent_difference", 10, kSigned,
     SiteAxes::kOutput, SiteUse::kAll, "epilogue, aligner"},
    {Site::kEpilogueHigh, "epilogue.high", 48, kUnsigned, SiteAxes::kOutput, SiteUse::kAll,
     "epilogue, aligner in: normalised addend of the greater exponent"},
    {Site::kEpilogueLow, "epilogue.low", 48, kUnsigned, SiteAxes::kOutput, SiteUse::kAll,
     "epilogue, aligner in: the other addend"},
    {Site::kEpilogueAlignedLow, "epilogue.aligned_low", 52, kSigned, SiteAxes::kOutput,
     SiteUse::kAll, "epilogue, aligner out, moved right, with sticky and sign"},
    {Site::kEpilogueSum, "epilogue.sum", 53, kSigned, SiteAxes::kOutput, SiteUse::kAll,
     "epilogue, adder"},
    {Site::kEpilogueLeadingZeros, "epilogue.leading_zeros", 6, kUnsigned, SiteAxes::kOutput,
     SiteUse::kAll, "epilogue, leading-zero counter"},
    {Site::kEpilogueWindow, "epilogue.window", 30, kUnsigned, SiteAxes::kOutput, SiteUse::kAll,
     "epilogue, normaliser out, with sticky"},
    {Site::kEpilogueLastExponent, "epilogue.last_exponent", 10, kSigned, SiteAxes::kOutput,
     SiteUse::kAll, "epilogue, exponent of the sum's last bit, above -149"},
    {Site::kEpilogueKept, "epilogue.kept", 24, kUnsigned, SiteAxes::kOutput, SiteUse::kAll,
     "epilogue, rounder"},
    {Site::kEpilogueGuard, "epilogue.guard", 1, kUnsigned, SiteAxes::kOutput, SiteUse::kAll,
     "epilogue, rounder"},
    {Site::kEpilogueSticky, "epilogue.sticky", 1, kUnsigned, SiteAxes::kOutput, SiteUse::kAll,
     "epilogue, rounder"},
    {Site::kEpilogueRounded, "epilogue.rounded", 25, kUnsigned, SiteAxes::kOutput, SiteUse::kAll,
     "epilogue, rounder"},
    {Site::kEpilogueExponentField, "epilogue.field", 8, kUnsigned, SiteAxes::kOutput, SiteUse::kAll,
     "epilogue, packer"},
    {Site::kEpilogueResult, "epilogue.result", 32, kUnsigned, SiteAxes::kOutput, SiteUse::kAll,
     "epilogue out"},
    {Site::kFmaProduct, "fma.product", 48, kUnsigned, SiteAxes::kColumn, SiteUse::kBlocks,
     "store path, multiplier of alpha and the residual's accumulator"},
    {Site::kFmaExponentDifference, "fma.exponent_difference", 10, kSigned, SiteAxes::kColumn,
     SiteUse::kBlocks, "store path, aligner"},
    {Site::kFmaHigh, "fma.high", 48, kUnsigned, SiteAxes::kColumn, SiteUse::kBlocks,
     "store path, aligner in: normalised addend of the greater exponent"},
    {Site::kFmaLow, "fma.low", 48, kUnsigned, SiteAxes::kColumn, SiteUse::kBlocks,
     "store path, aligner in: the other addend"},
    {Site::kFmaAlignedLow, "fma.aligned_low", 52, kSigned, SiteAxes::kColumn, SiteUse::kBlocks,
     "store path, aligner out, moved right, with sticky and sign"},
    {Site::kFmaSum, "fma.sum", 53, kSigned, SiteAxes::kColumn, SiteUse::kBlocks,
     "store path, adder"},
    {Site::kFmaLeadingZeros, "fma.leading_zeros", 6, kUnsigned, SiteAxes::kColumn, SiteUse::kBlocks,
     "store path, leading-zero counter"},
    {Site::kFmaWindow, "fma.window", 30, kUnsigned, SiteAxes::kColumn, SiteUse::kBlocks,
     "store path, normaliser out, with sticky"},
    {Site::kFmaLastExponent, "fma.last_exponent", 10, kSigned, SiteAxes::kColumn, SiteUse::kBlocks,
     "store path, exponent of the sum's last bit, above -149"},
    {Site::kFmaKept, "fma.kept", 24, kUnsigned, SiteAxes::kColumn, SiteUse::kBlocks,
     "store path, rounder"},
    {Site::kFmaGuard, "fma.guard", 1, kUnsigned, SiteAxes::kColumn, SiteUse::kBlocks,
     "store path, rounder"},
    {Site::kFmaSticky, "fma.sticky", 1, kUnsigned, SiteAxes::kColumn, SiteUse::kBlocks,
     "store path, rounder"},
    {Site::kFmaRounded, "fma.rounded", 25, kUnsigned, SiteAxes::kColumn, SiteUse::kBlocks,
     "store path, rounder"},
    {Site::kFmaExponentField, "fma.field", 8, kUnsigned, SiteAxes::kColumn, SiteUse::kBlocks,
     "store path, packer"},
    {Site::kFmaResult, "fma.result", 32, kUnsigned, SiteAxes::kColumn, SiteUse::kBlocks,
     "store path, both accumulators in one"},
    {Site::kStoreProduct, "store.product", 32, kUnsigned, SiteAxes::kColumn, SiteUse::kAll,
     "store path, after alpha"},
    {Site::kStoreBf16, "store.bf16", 16, kUnsigned, SiteAxes::kColumn, SiteUse::kAll,
     "store path, converter out"},
    {Site::kQuantizerMagnitude, "quantizer.magnitude", 31, kUnsigned, SiteAxes::kQuantizerElement,
     SiteUse::kAll, "maximum tree in"},
    {Site::kQuantizerMaximum4, "quantizer.maximum4", 31, kUnsigned, SiteAxes::kQuantizerQuads,
     SiteUse::kHif4, "maximum tree, of 4"},
    {Site::kQuantizerMaximum8, "quantizer.maximum8", 31, kUnsigned, SiteAxes::kQuantizerEights,
     SiteUse::kHif4, "maximum tree, of 8"},
    {Site::kQuantizerMaximum, "quantizer.maximum", 31, kUnsigned, SiteAxes::kQuantizer,
     SiteUse::kAll, "maximum tree out"},
    {Site::kQuantizerScale, "quantizer.scale", 8, kUnsigned, SiteAxes::kQuantizer, SiteUse::kAll,
     "scale code"},
    {Site::kQuantizerReciprocal, "quantizer.reciprocal", 16, kUnsigned, SiteAxes::kQuantizer,
     SiteUse::kHif4, "BF16 reciprocal of the scale"},
    {Site::kQuantizerMicroProduct, "quantizer.micro_product", 31, kUnsigned,
     SiteAxes::kQuantizerMicro, SiteUse::kHif4, "group maximum, scaled"},
    {Site::kQuantizerLevel2, "quantizer.level2", 1, kUnsigned, SiteAxes::kQuantizerEights,
     SiteUse::kHif4, "comparator"},
    {Site::kQuantizerLevel3, "quantizer.level3", 1, kUnsigned, SiteAxes::kQuantizerQuads,
     SiteUse::kHif4, "comparator"},
    {Site::kQuantizerScaled, "quantizer.scaled", 32, kUnsigned, SiteAxes::kQuantizerElement,
     SiteUse::kScaledElements, "element, scaled"},
    {Site::kQuantizerShift, "quantizer.shift", 10, kSigned, SiteAxes::kQuantizerElement,
     SiteUse::kAll, "element rounder, shift distance"},
    {Site::kQuantizerKept, "quantizer.kept", 4, kUnsigned, SiteAxes::kQuantizerElement,
     SiteUse::kAll, "element rounder"},
    {Site::kQuantizerGuard, "quantizer.guard", 1, kUnsigned, SiteAxes::kQuantizerElement,
     SiteUse::kAll, "element rounder"},
    {Site::kQuantizerSticky, "quantizer.sticky", 1, kUnsigned, SiteAxes::kQuantizerElement,
     SiteUse::kAll, "element rounder"},
    {Site::kQuantizerCode, "quantizer.code", 4, kUnsigned, SiteAxes::kQuantizerElement,
     SiteUse::kAll, "element code"},
    {Site::kDecoded, "quantizer.decoded", 32, kUnsigned, SiteAxes::kResidualStageElement,
     SiteUse::kBlocks, "quantized element as FP32"},
    {Site::kDifference, "quantizer.difference", 32, kUnsigned, SiteAxes::kResidualStageElement,
     SiteUse::kBlocks, "residual as FP32"},
    {Site::kMaskedCode, "quantizer.masked_code", 4, kUnsigned, SiteAxes::kResidualStageElement,
     SiteUse::kBlocks, "residual code behind the mask"},
    {Site::kSelectedCode, "quantizer.selected_code", 4, kUnsigned, SiteAxes::kResidualStageKept,
     SiteUse::kBlocks, "2:4 selector"},
    {Site::kSelectedIndices, "quantizer.selected_indices", 4, kUnsigned,
     SiteAxes::kResidualStageQuad, SiteUse::kBlocks, "2:4 selector"},
}};

constexpr bool in_order() {
  for (int i = 0; i < kSites; ++i) {
    if (kRecords[static_cast<size_t>(i)].site != static_cast<Site>(i)) {
      return false;
    }
  }
  return true;
}
static_assert(in_order(), "a record for every site, in their order");

bool passes(SiteUse use, const BlockFormat& format, Accumulation accumulation) {
  const bool e2m1 = format.element == ElementKind::kE2m1;
  const bool in_nodes = is_truncating(accumulation);
  switch (use) {
    case SiteUse::kAll:
      return true;
    case SiteUse::kE2m1Block16:
      return e2m1 && format.block == 16 && !in_nodes;
    case SiteUse::kE2m1Block32:
      return e2m1 && format.block == 32 && !in_nodes;
    case SiteUse::kE2m1Block64:
      return e2m1 && format.block == 64 && !in_nodes;
    case SiteUse::kE2m1Sixteens:
      return e2m1 && (format.block == 16 || in_nodes);
    case SiteUse::kHif4:
      return !e2m1;
    case SiteUse::kScaledElements:
      return format.scale != ScaleKind::kE8m0;
    case SiteUse::kBlocks:
      return !in_nodes;
    case SiteUse::kNodes:
      return in_nodes;
  }
  throw InternalError("unknown use of a site");
}

}  // namespace

const SiteRecord& site_record(Site site) { return kRecords.at(static_cast<size_t>(site)); }

const std::array<SiteRecord, kSites>& site_records() { return kRecords; }

int64_t site_instances(Site site, const SiteExtents& extents) {
  const SiteRecord& record = site_record(site);
  if (!passes(record.use, extents.format, extents.accumulation)) {
    return 0;
  }
  const int64_t rows = extents.rows;
  const int64_t columns = extents.columns;
  const int64_t outputs = rows * columns;
  const int64_t k = extents.depth;
  const int64_t block = extents.format.block;
  const int64_t circuits = extents.beat_blocks * kQuantizerCircuits;
  switch (record.axes) {
    case SiteAxes::kKByRow:
      return k * rows;
    case SiteAxes::kEightByRow:
      return k / 8 * rows;
    case SiteAxes::kQuadByRow:
      return k / 4 * rows;
    case SiteAxes::kBlockByRow:
      return 2 * k / block * rows;
    case SiteAxes::kKByColumn:
      return 2 * k * columns;
    case SiteAxes::kEightByColumn:
      return 2 * k / 8 * columns;
    case SiteAxes::kQuadByColumn:
      return 2 * k / 4 * columns;
    case SiteAxes::kBlockByColumn:
      return 2 * k / block * columns;
    case SiteAxes::kKeptByRow:
      return k * rows;
    case SiteAxes::kResidualEightByRow:
      return 2 * k / 8 * rows;
    case SiteAxes::kResidualQuadByRow:
      return 2 * k / 4 * rows;
    case SiteAxes::kKByOutput:
      return k * outputs;
    case SiteAxes::kEightByOutput:
      return k / 8 * outputs;
    case SiteAxes::kHalfByOutput:
      return k / 32 * outputs;
    case SiteAxes::kBlockByOutput:
      return k / block * outputs;
    case SiteAxes::kKeptByOutput:
      return k * outputs;
    case SiteAxes::kResidualEightByOutput:
      return 2 * k / 8 * outputs;
    case SiteAxes::kResidualHalfByOutput:
      return 2 * k / 32 * outputs;
    case SiteAxes::kResidualBlockByOutput:
    case SiteAxes::kStepBlockByOutput:
      return 2 * k / block * outputs;
    case SiteAxes::kSixteenByOutput:
      return k / 16 * outputs;
    case SiteAxes::kNodeGroupByOutput:
      return kNodeGroups * outputs;
    case SiteAxes::kOutput:
      return outputs;
    case SiteAxes::kRegister:
      return extents.register_tiles * outputs;
    case SiteAxes::kRow:
      return rows;
    case SiteAxes::kMacroByColumn:
      return kStepMacroBlocks * columns;
    case SiteAxes::kColumn:
      return columns;
    case SiteAxes::kQuantizer:
      return circuits;
    case SiteAxes::kQuantizerQuads:
      return circuits * (block / 4);
    case SiteAxes::kQuantizerEights:
      return circuits * (block / 8);
    case SiteAxes::kQuantizerMicro:
      return circuits * (block / 4 + block / 8);
    case SiteAxes::kQuantizerElement:
      return circuits * block;
    case SiteAxes::kResidualStageElement:
      return extents.beat_blocks * block;
    case SiteAxes::kResidualStageKept:
      return extents.beat_blocks * (block / 2);
    case SiteAxes::kResidualStageQuad:
      return extents.beat_blocks * (block / 4);
  }
  throw InternalError("unknown axes of a site");
}

std::string_view axes_text(SiteAxes axes) {
  switch (axes) {
    case SiteAxes::kKByRow:
      return "k, row";
    case SiteAxes::kEightByRow:
    case SiteAxes::kResidualEightByRow:
      return "k / 8, row";
    case SiteAxes::kQuadByRow:
    case SiteAxes::kResidualQuadByRow:
      return "k / 4, row";
    case SiteAxes::kBlockByRow:
      return "block, row";
    case SiteAxes::kKByColumn:
      return "k, column";
    case SiteAxes::kEightByColumn:
      return "k / 8, column";
    case SiteAxes::kQuadByColumn:
      return "k / 4, column";
    case SiteAxes::kBlockByColumn:
      return "block, column";
    case SiteAxes::kKeptByRow:
      return "kept element, row";
    case SiteAxes::kKByOutput:
      return "k, row, column";
    case SiteAxes::kEightByOutput:
    case SiteAxes::kResidualEightByOutput:
      return "k / 8, row, column";
    case SiteAxes::kHalfByOutput:
    case SiteAxes::kResidualHalfByOutput:
      return "k / 32, row, column";
    case SiteAxes::kBlockByOutput:
    case SiteAxes::kResidualBlockByOutput:
    case SiteAxes::kStepBlockByOutput:
      return "block, row, column";
    case SiteAxes::kKeptByOutput:
      return "kept element, row, column";
    case SiteAxes::kSixteenByOutput:
      return "k / 16, row, column";
    case SiteAxes::kNodeGroupByOutput:
      return "group, row, column";
    case SiteAxes::kOutput:
      return "row, column";
    case SiteAxes::kRegister:
      return "half, tile, row, column";
    case SiteAxes::kRow:
      return "row";
    case SiteAxes::kMacroByColumn:
      return "macro block, column";
    case SiteAxes::kColumn:
      return "column";
    case SiteAxes::kQuantizer:
      return "block of beat, circuit";
    case SiteAxes::kQuantizerQuads:
      return "block of beat, circuit, quad";
    case SiteAxes::kQuantizerEights:
      return "block of beat, circuit, eight";
    case SiteAxes::kQuantizerMicro:
      return "block of beat, circuit, 8 eights and 16 quads";
    case SiteAxes::kQuantizerElement:
      return "block of beat, circuit, element";
    case SiteAxes::kResidualStageElement:
      return "block of beat, element";
    case SiteAxes::kResidualStageKept:
      return "block of beat, kept element";
    case SiteAxes::kResidualStageQuad:
      return "block of beat, quad";
  }
  throw InternalError("unknown axes of a site");
}

}  // namespace nibblecore::hw
