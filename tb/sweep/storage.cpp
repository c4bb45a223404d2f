// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/storage.hpp"

#include <cmath>
#include <utility>

#include "model/common/checked.hpp"

namespace nibblecore::tb {
namespace {

constexpr double kCodeBits = 4;
constexpr double kTensorScaleBits = 32;

double of(int64_t value) { return static_cast<double>(value); }

double blocks_of(const BlockFormat& format, const MatrixSize& size) {
  return of(size.rows) * of(ceil_divide(size.k, format.block));
}

double scale_bits(const BlockFormat& format, const MatrixSize& size) {
  return blocks_of(format, size) * 8 * format.scale_bytes();
}

/// Two codes with 2-bit positions of every four, padding of the last block included.
ResidualCost two_of_four_cost(const BlockFormat& format, const MatrixSize& size) {
  const double quads = blocks_of(format, size) * format.block / 4;
  return {quads * (2 * kCodeBits + 2 * 2) + scale_bits(format, size), 0.5};
}

/// Half of the channels; every block keeps its scale, and the matrix has a mask of a bit a channel.
ResidualCost channel_cost(const BlockFormat& format, const MatrixSize& size) {
  const double kept = of(size.k / 2);
  const double share = size.k == 0 ? 0 : kept / of(size.k);
  return {of(size.rows) * kept * kCodeBits + scale_bits(format, size) + of(size.k), share};
}

/// `kept_of(tiles)` of the tiles, and a bit a tile. Scales go with the tiles where these hold whole
/// blocks.
template <typename KeptOf>
ResidualCost tile_cost(const BlockFormat& format, const MatrixSize& size,
                       const FallbackTiles& shape, const KeptOf& kept_of) {
  const double tiles =
      of(ceil_divide(size.rows, shape.rows)) * of(ceil_divide(size.k, shape.channels));
  const double share = tiles == 0 ? 0 : kept_of(tiles) / tiles;
  const double codes = share * size.elements() * kCodeBits;
  const bool whole_blocks = shape.channels % format.block == 0;
  return {codes + (whole_blocks ? share : 1) * scale_bits(format, size) + tiles, share};
}

}  // namespace

double block_bits(const BlockFormat& format, const MatrixSize& size) {
  return blocks_of(format, size) * format.block_bits() +
         (format.scale == ScaleKind::kUe4m3 ? kTensorScaleBits : 0);
}

int factor_bits(const MacroBlockScaling& scaling) {
  return scaling.search == MacroSearch::kStatic ? scaling.mantissa_bits : 16;
}

double macro_bits(const MacroBlockScaling& scaling, const MatrixSize& size) {
  return of(size.rows) * of(ceil_divide(size.k, scaling.length)) * factor_bits(scaling);
}

std::optional<ResidualCost> residual_cost(const ResidualTreatment& residual,
                                          const BlockFormat& format, const MatrixSize& size) {
  switch (residual.pattern) {
    case ResidualPattern::kNone:
      return ResidualCost{};
    case ResidualPattern::kTwoOfFour:
      return two_of_four_cost(format, size);
    case ResidualPattern::kChannel50:
      return channel_cost(format, size);
    case ResidualPattern::kBlock32x64At50:
      return tile_cost(format, size, {kResidualTileRows, kResidualTileChannels},
                       [](double tiles) { return std::floor(tiles / 2); });
    case ResidualPattern::kDense:
      break;
  }
  if (!residual.selection) {
    return ResidualCost{blocks_of(format, size) * format.block_bits(), 1};
  }
  if (!residual.selection->rate) {
    return std::nullopt;
  }
  return tile_cost(format, size, residual.selection->tiles,
                   [&](double tiles) { return std::floor(*residual.selection->rate * tiles); });
}

std::optional<double> OperandStorage::bits_per_value() const {
  return is_known && values > 0 ? std::optional<double>(bits / values) : std::nullopt;
}

void add_operand(const OperandTreatment& treatment, ValueType type, const MatrixSize& size,
                 double count, OperandStorage& storage) {
  storage.values += count * size.elements();
  if (!treatment.recipe) {
    storage.bits += count * size.elements() * (type == ValueType::kBf16 ? 16 : 32);
    return;
  }
  const MatrixSize blocked =
      treatment.axis == BlockAxis::kContraction ? size : MatrixSize{size.k, size.rows};
  const OperandRecipe& recipe = *treatment.recipe;
  storage.bits += count * block_bits(recipe.preset.format, blocked);
  if (recipe.macro) {
    storage.bits += count * macro_bits(*recipe.macro, blocked);
    storage.factor_sizes.insert(factor_bits(*recipe.macro));
  }
}

void add_residual(const GemmTreatment& treatment, const MatrixSize& size, double count,
                  OperandStorage& storage) {
  const auto cost = residual_cost(treatment.residual, treatment.a.recipe->preset.format, size);
  storage.is_known = storage.is_known && cost.has_value();
  storage.bits += cost ? count * cost->bits : 0;
}

void Storage::add(const GemmRecord& record, const OperandTypes& types,
                  const GemmTreatment& treatment) {
  const double products = of(record.count) * of(record.batch);
  const MatrixSize a_size{record.m, record.k};
  add_operand(treatment.a, types.a, a_size, products, a);
  add_operand(treatment.b, types.b, {record.n, record.k}, products, b);
  const double record_macs = of(record.macs());
  useful_macs += record_macs;
  macs += record_macs;
  if (treatment.has_residual()) {
    add_residual(treatment, a_size, products, a);
    const auto cost = residual_cost(treatment.residual, treatment.a.recipe->preset.format, a_size);
    macs += cost ? cost->mac_share * record_macs : 0;
  }
}

std::optional<double> Storage::bits_per_value() const {
  const OperandStorage both{a.values + b.values, a.bits + b.bits, a.is_known && b.is_known, {}};
  return both.bits_per_value();
}

std::optional<double> Storage::macs_per_mac() const {
  return a.is_known && useful_macs > 0 ? std::optional<double>(macs / useful_macs) : std::nullopt;
}

}  // namespace nibblecore::tb
