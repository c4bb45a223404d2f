// SPDX-License-Identifier: Apache-2.0
#include "model/machine/program_sizes.hpp"

#include "model/common/checked.hpp"

namespace nibblecore {
namespace {

int64_t piece_bytes(const GemmSpec& spec, OperandPath path, int64_t rows, int64_t k) {
  const char* place = "bytes of an operand";
  if (path == OperandPath::kPacked) {
    const int64_t blocks = ceil_divide(k, spec.format.block);
    return checked_multiply(checked_multiply(rows, blocks, place), dense_block_bytes(spec), place);
  }
  return checked_multiply(checked_multiply(rows, k, place), input_bytes(path), place);
}

int64_t factor_bytes(const GemmSpec& spec, bool has_factors, int64_t rows, int64_t k) {
  constexpr int64_t kFactorBytes = 2;
  return has_factors ? checked_multiply(kFactorBytes * ceil_divide(k, spec.macro_length), rows,
                                        "bytes of an operand")
                     : 0;
}

}  // namespace

int64_t a_factor_bytes(const GemmSpec& spec, int64_t rows, int64_t k) {
  return factor_bytes(spec, spec.a_has_factors, rows, k);
}

int64_t b_factor_bytes(const GemmSpec& spec, int64_t columns, int64_t k) {
  return factor_bytes(spec, spec.b_has_factors, columns, k);
}

int64_t dense_block_bytes(const GemmSpec& spec) { return spec.format.block_bits() / 8; }

int64_t residual_block_bytes(const GemmSpec& spec) {
  switch (spec.residual) {
    case ResidualPattern::kNone:
      return 0;
    case ResidualPattern::kTwoOfFour:
      return spec.format.block / 4 + spec.format.block / 8 + spec.format.scale_bytes();
    default:
      return dense_block_bytes(spec);
  }
}

int64_t mask_bytes(const GemmSpec& spec, int64_t rows, int64_t k) {
  constexpr int64_t kBits = 8;
  switch (spec.residual) {
    case ResidualPattern::kChannel50:
      return ceil_divide(k, kBits);
    case ResidualPattern::kBlock32x64At50:
      return ceil_divide(
          ceil_divide(rows, kResidualTileRows) * ceil_divide(k, kResidualTileChannels), kBits);
    default:
      return 0;
  }
}

int64_t output_bytes(OutputWidth width) { return width == OutputWidth::kFp32 ? 4 : 2; }

int64_t accumulators_an_output(const GemmSpec& spec) {
  const int64_t sums = spec.residual_accumulator == ResidualAccumulator::kOwn ? 2 : 1;
  return spec.macro_length > 0 ? 2 * sums : sums;
}

int64_t a_piece_bytes(const GemmSpec& spec, int64_t rows, int64_t k) {
  return piece_bytes(spec, spec.a, rows, k) + mask_bytes(spec, rows, k) +
         a_factor_bytes(spec, rows, k);
}

int64_t b_piece_bytes(const GemmSpec& spec, int64_t columns, int64_t k) {
  return piece_bytes(spec, spec.b, columns, k) + b_factor_bytes(spec, columns, k);
}

}  // namespace nibblecore
