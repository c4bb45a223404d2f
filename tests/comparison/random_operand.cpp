// SPDX-License-Identifier: Apache-2.0
#include "tests/comparison/random_operand.hpp"

#include <algorithm>

namespace nibblecore::comparison {
namespace {

/// Codes below that of NaN.
int finite_codes(ScaleKind kind) { return kind == ScaleKind::kUe4m3 ? 127 : 255; }

uint8_t random_magnitude(const ScaleLaw& law, ScaleKind kind, Dice& dice) {
  const int last = finite_codes(kind) - 1;
  if (law.has_nan && dice.roll(500) == 0) {
    return static_cast<uint8_t>(last + 1);
  }
  if (law.kind == ScaleLaw::Kind::kAnywhere) {
    return static_cast<uint8_t>(dice.roll(last + 1));
  }
  const bool is_second = law.kind == ScaleLaw::Kind::kTwoClusters && dice.roll(2) == 0;
  const int code =
      law.center + dice.between(-law.width, law.width) + (is_second ? law.distance : 0);
  return static_cast<uint8_t>(std::clamp(code, 0, last));
}

uint8_t random_scale(const ScaleLaw& law, ScaleKind kind, Dice& dice) {
  const int sign = law.has_sign ? 0x80 * dice.roll(2) : 0;
  return static_cast<uint8_t>(sign | random_magnitude(law, kind, dice));
}

enum class ElementLaw { kAny, kZeroBlocks, kSparse, kSmall, kBell };
constexpr int kElementLaws = 5;

uint8_t random_code(ElementLaw law, bool is_zero_block, Dice& dice) {
  const auto sign = static_cast<uint8_t>(8 * dice.roll(2));
  switch (law) {
    case ElementLaw::kAny:
      return static_cast<uint8_t>(dice.roll(16));
    case ElementLaw::kZeroBlocks:
      return is_zero_block ? sign : static_cast<uint8_t>(dice.roll(16));
    case ElementLaw::kSparse:
      return dice.roll(8) == 0 ? static_cast<uint8_t>(dice.roll(16)) : sign;
    case ElementLaw::kSmall:
      return static_cast<uint8_t>(sign + dice.roll(3));
    case ElementLaw::kBell:
      return static_cast<uint8_t>(sign + std::min({dice.roll(8), dice.roll(8)}));
  }
  return 0;
}

}  // namespace

ScaleLaw random_scale_law(ScaleKind kind, Dice& dice) {
  const int codes = finite_codes(kind);
  ScaleLaw law{};
  law.kind = static_cast<ScaleLaw::Kind>(dice.roll(3));
  law.width = dice.roll(2) == 0 ? dice.roll(4) : dice.roll(std::max(2, codes / 8));
  law.distance = dice.between(-codes / 2, codes / 2);
  law.has_nan = dice.roll(4) == 0;
  law.has_sign = kind == ScaleKind::kUe4m3 && dice.roll(16) == 0;
  law.center = dice.roll(codes);
  if (kind == ScaleKind::kE8m0) {
    // A third near 1, a sixth where products of two reach FP32's ends.
    const int place = dice.roll(6);
    law.center = place < 2    ? dice.between(110, 140)
                 : place == 2 ? (dice.roll(2) == 0 ? dice.between(50, 62) : dice.between(180, 192))
                              : law.center;
  }
  return law;
}

PackedMatrix random_operand(const BlockFormat& format, int64_t rows, int64_t k, const ScaleLaw& law,
                            Dice& dice) {
  PackedMatrix matrix = make_packed_matrix(format, rows, k);
  const auto elements = static_cast<ElementLaw>(dice.roll(kElementLaws));
  for (int64_t row = 0; row < rows; ++row) {
    uint8_t* scales = matrix.row_scales(row);
    uint8_t* codes = matrix.row_codes(row);
    for (int64_t block = 0; block < matrix.blocks(); ++block, scales += format.scale_bytes()) {
      scales[0] = random_scale(law, format.scale, dice);
      for (int i = 1; i < format.scale_bytes(); ++i) {
        scales[i] = static_cast<uint8_t>(dice.roll(256));
      }
      const bool is_zero_block = dice.roll(3) == 0;
      for (int64_t i = block * format.block; i < std::min(k, (block + 1) * format.block); ++i) {
        set_packed_code(codes, i, random_code(elements, is_zero_block, dice));
      }
    }
  }
  return matrix;
}

void cancel_neighbours(PackedMatrix& a, PackedMatrix& b, Dice& dice) {
  const auto pair_up = [&dice](PackedMatrix& matrix, uint8_t sign) {
    for (int64_t row = 0; row < matrix.rows; ++row) {
      for (int64_t i = 0; i < matrix.k / 2; ++i) {
        uint8_t& pair = matrix.row_codes(row)[i];
        if (dice.roll(64) != 0) {
          const auto low = static_cast<uint8_t>(pair & 0xF);
          pair = static_cast<uint8_t>(low | ((low ^ sign) << 4));
        }
      }
    }
  };
  pair_up(a, 0);
  pair_up(b, 8);
}

void cancel_blocks(PackedMatrix& a, PackedMatrix& b, Dice& dice) {
  const auto whole = static_cast<int>(a.k / a.format.block);
  if (whole < 2) {
    return;
  }
  const int64_t distance = dice.between(1, whole / 2);
  const auto copy = [&](PackedMatrix& matrix, uint8_t signs) {
    const int64_t bytes = matrix.format.block / 2;
    const int64_t scale_bytes = matrix.format.scale_bytes();
    for (int64_t row = 0; row < matrix.rows; ++row) {
      uint8_t* codes = matrix.row_codes(row);
      uint8_t* scales = matrix.row_scales(row);
      for (int64_t to = distance; to < whole; ++to) {
        const int64_t from = to - distance;
        if (from / distance % 2 != 0) {
          continue;  // itself a copy
        }
        std::copy_n(scales + from * scale_bytes, scale_bytes, scales + to * scale_bytes);
        for (int64_t i = 0; i < bytes; ++i) {
          if (dice.roll(256) != 0) {
            codes[to * bytes + i] = codes[from * bytes + i] ^ signs;
          }
        }
      }
    }
  };
  copy(a, 0);
  copy(b, 0x88);
}

}  // namespace nibblecore::comparison
