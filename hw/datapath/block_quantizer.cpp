// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/block_quantizer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "hw/datapath/hif4_quantizer.hpp"
#include "hw/datapath/mxfp4_quantizer.hpp"
#include "hw/datapath/residual.hpp"
#include "hw/datapath/two_of_four_selector.hpp"
#include "model/common/error.hpp"

namespace nibblecore::hw {
namespace {

template <class Hooks>
Mxfp4Unit quantized(const std::array<uint32_t, 32>& values, const Mxfp4Rule& rule,
                    QuantizerTap<Hooks> tap) {
  return quantize_mxfp4_block(values, rule, tap);
}

template <class Hooks>
Hif4Unit quantized(const std::array<uint32_t, 64>& values, const Hif4Rule& rule,
                   QuantizerTap<Hooks> tap) {
  return quantize_hif4_block(values, rule, tap);
}

template <class Hooks>
Nvfp4Unit quantized(const std::array<uint32_t, 16>& values, const Nvfp4Factors& factors,
                    QuantizerTap<Hooks> tap) {
  return quantize_nvfp4_block(values, factors, tap);
}

/// The block's residual, quantized by the circuit behind the operand's own.
template <class Values, class Unit, class Rule, class Hooks>
Unit quantized_residual(const Values& values, const Unit& unit, const Rule& rule,
                        QuantizerTap<Hooks> tap) {
  return quantized(residual(values, unit, tap), rule, tap.behind());
}

template <class Hooks>
Nvfp4Unit quantized_residual(const std::array<uint32_t, 16>& values, const Nvfp4Unit& unit,
                             const Nvfp4Factors& factors, QuantizerTap<Hooks> tap) {
  return quantized(residual(values, unit, factors.decode, tap), factors, tap.behind());
}

template <size_t Size>
std::array<uint8_t, 4> scale_bytes(const E2m1Unit<Size>& unit) {
  return {unit.scale, 0, 0, 0};
}
std::array<uint8_t, 4> scale_bytes(const Hif4Unit& unit) { return pack_hif4_scale(unit); }

template <class Nibbles, class Bytes>
void pack_nibbles(const Nibbles& nibbles, Bytes& bytes) {
  for (size_t i = 0; i < nibbles.size() / 2; ++i) {
    bytes[i] = static_cast<uint8_t>(nibbles[2 * i] | (nibbles[2 * i + 1] << 4));
  }
}

template <class Unit>
PackedBlock packed(const Unit& unit) {
  PackedBlock block;
  block.scale = scale_bytes(unit);
  pack_nibbles(unit.codes, block.codes);
  return block;
}

template <class Unit, class Hooks>
void keep_two_of_four(const Unit& unit, QuantizedBlock& result, QuantizerTap<Hooks> tap) {
  constexpr size_t kQuads = std::tuple_size_v<decltype(unit.codes)> / 4;
  std::array<uint8_t, 2 * kQuads> kept{};
  std::array<uint8_t, kQuads> indices{};
  for (size_t quad = 0; quad < kQuads; ++quad) {
    const uint8_t* codes = unit.codes.data() + 4 * quad;
    SelectedQuad selected = select_quad({codes[0], codes[1], codes[2], codes[3]});
    tap.residual_stage(static_cast<int64_t>(quad), kQuads)
        .value(Site::kSelectedIndices, selected.indices);
    for (size_t i = 0; i < selected.codes.size(); ++i) {
      tap.residual_stage(static_cast<int64_t>(2 * quad + i), 2 * kQuads)
          .value(Site::kSelectedCode, selected.codes[i]);
      kept[2 * quad + i] = selected.codes[i];
    }
    indices[quad] = selected.indices;
  }
  result.residual.scale = scale_bytes(unit);
  pack_nibbles(kept, result.residual.codes);
  pack_nibbles(indices, result.indices);
}

/// One AND gate a code bit.
template <class Unit, class Hooks>
Unit masked(const Unit& unit, uint64_t keep, QuantizerTap<Hooks> tap) {
  Unit result = unit;
  for (size_t i = 0; i < unit.codes.size(); ++i) {
    result.codes[i] = ((keep >> i) & 1) != 0 ? unit.codes[i] : uint8_t{0};
    tap.residual_stage(static_cast<int64_t>(i), static_cast<int64_t>(unit.codes.size()))
        .value(Site::kMaskedCode, result.codes[i]);
  }
  return result;
}

template <size_t Block, class Rule, class Hooks>
QuantizedBlock quantize(const UnquantizedBlock& block, const Rule& rule, ResidualPattern pattern,
                        QuantizerTap<Hooks> tap) {
  std::array<uint32_t, Block> values{};
  std::copy_n(block.values.begin(), Block, values.begin());
  const auto unit = quantized(values, rule, tap);
  QuantizedBlock result;
  result.tag = block.tag;
  result.dense = packed(unit);
  if (pattern == ResidualPattern::kNone) {
    return result;
  }
  const auto rest = quantized_residual(values, unit, rule, tap);
  if (pattern == ResidualPattern::kTwoOfFour) {
    keep_two_of_four(rest, result, tap);
  } else {
    result.residual = packed(masked(rest, block.keep, tap));
  }
  return result;
}

bool takes_mask(ResidualPattern pattern) {
  return pattern == ResidualPattern::kChannel50 || pattern == ResidualPattern::kBlock32x64At50;
}

}  // namespace

int QuantizerJob::block() const {
  constexpr std::array<int, std::variant_size_v<decltype(rule)>> kBlocks{32, 64, 16};
  return kBlocks.at(rule.index());
}

template <class Hooks>
QuantizedBlock quantize_block(const UnquantizedBlock& block, const QuantizerJob& job,
                              QuantizerTap<Hooks> tap) {
  if (block.keep != kKeepAll && !takes_mask(job.residual)) {
    throw InternalError("a block brings a mask to a quantizer whose residual pattern has none");
  }
  if (const auto* mxfp4 = std::get_if<Mxfp4Rule>(&job.rule)) {
    return quantize<32>(block, *mxfp4, job.residual, tap);
  }
  if (const auto* factors = std::get_if<Nvfp4Factors>(&job.rule)) {
    return quantize<16>(block, *factors, job.residual, tap);
  }
  return quantize<64>(block, std::get<Hif4Rule>(job.rule), job.residual, tap);
}

template QuantizedBlock quantize_block(const UnquantizedBlock&, const QuantizerJob&,
                                       QuantizerTap<NoHooks>);
template QuantizedBlock quantize_block(const UnquantizedBlock&, const QuantizerJob&,
                                       QuantizerTap<ProbeHooks>);

}  // namespace nibblecore::hw
