// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/block_quantizer.hpp"

#include <algorithm>
#include <cstddef>

#include "hw/datapath/hif4_quantizer.hpp"
#include "hw/datapath/mxfp4_quantizer.hpp"
#include "hw/datapath/residual.hpp"
#include "hw/datapath/two_of_four_selector.hpp"
#include "model/common/error.hpp"

namespace nibblecore::hw {
namespace {

Mxfp4Unit quantized(const std::array<uint32_t, 32>& values, const Mxfp4Rule& rule) {
  return quantize_mxfp4_block(values, rule);
}

Hif4Unit quantized(const std::array<uint32_t, 64>& values, const Hif4Rule& rule) {
  return quantize_hif4_block(values, rule);
}

std::array<uint8_t, 4> scale_bytes(const Mxfp4Unit& unit) { return {unit.scale, 0, 0, 0}; }
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

template <class Unit>
void keep_two_of_four(const Unit& unit, QuantizedBlock& result) {
  constexpr size_t kQuads = std::tuple_size_v<decltype(unit.codes)> / 4;
  std::array<uint8_t, 2 * kQuads> kept{};
  std::array<uint8_t, kQuads> indices{};
  for (size_t quad = 0; quad < kQuads; ++quad) {
    const uint8_t* codes = unit.codes.data() + 4 * quad;
    const SelectedQuad selected = select_quad({codes[0], codes[1], codes[2], codes[3]});
    kept[2 * quad] = selected.codes[0];
    kept[2 * quad + 1] = selected.codes[1];
    indices[quad] = selected.indices;
  }
  result.residual.scale = scale_bytes(unit);
  pack_nibbles(kept, result.residual.codes);
  pack_nibbles(indices, result.indices);
}

template <size_t Block, class Rule>
QuantizedBlock quantize(const UnquantizedBlock& block, const Rule& rule, ResidualPattern pattern) {
  std::array<uint32_t, Block> values{};
  std::copy_n(block.values.begin(), Block, values.begin());
  const auto unit = quantized(values, rule);
  QuantizedBlock result;
  result.tag = block.tag;
  result.dense = packed(unit);
  switch (pattern) {
    case ResidualPattern::kNone:
      return result;
    case ResidualPattern::kDense:
      result.residual = packed(quantized(residual(values, unit), rule));
      return result;
    case ResidualPattern::kTwoOfFour:
      keep_two_of_four(quantized(residual(values, unit), rule), result);
      return result;
    default:
      throw InternalError("the quantizer selects 2:4 or dense residuals only");
  }
}

}  // namespace

QuantizedBlock quantize_block(const UnquantizedBlock& block, const QuantizerJob& job) {
  if (const auto* mxfp4 = std::get_if<Mxfp4Rule>(&job.rule)) {
    return quantize<32>(block, *mxfp4, job.residual);
  }
  return quantize<64>(block, std::get<Hif4Rule>(job.rule), job.residual);
}

}  // namespace nibblecore::hw
