// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>

#include "model/formats/packed_matrix.hpp"

namespace nibblecore::comparison {

/// Numbers for one case.
class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}

  /// 0 to `sides` - 1.
  int roll(int sides) { return static_cast<int>(random_() % static_cast<uint64_t>(sides)); }
  /// `first` to `last`.
  int between(int first, int last) { return first + roll(last - first + 1); }
  uint32_t bits() { return static_cast<uint32_t>(random_() >> 32); }
  /// Over (0, 1].
  double unit() { return static_cast<double>((random_() >> 11) + 1) * 0x1p-53; }

 private:
  std::mt19937_64 random_;
};

/// How the scales of both operands of a GEMM are drawn.
struct ScaleLaw {
  enum class Kind { kAnywhere, kClose, kTwoClusters };
  Kind kind;
  int center;    ///< code
  int width;     ///< codes on either side
  int distance;  ///< of the second cluster
  bool has_nan;
  bool has_sign;  ///< some codes of UE4M3 have the bit above their magnitude, which means nothing
};

/// A law for a kind of scale; where sums come to lie follows from it.
ScaleLaw random_scale_law(ScaleKind kind, Dice& dice);

/// A matrix whose scales follow `law` and whose elements are drawn by a law of their own.
PackedMatrix random_operand(const BlockFormat& format, int64_t rows, int64_t k, const ScaleLaw& law,
                            Dice& dice);

/// Makes pairs of neighbouring elements equal in `a` and opposite in `b`, so that most dots cancel.
void cancel_neighbours(PackedMatrix& a, PackedMatrix& b, Dice& dice);

/// Makes whole blocks some distance apart equal in `a` and opposite in `b`, scales included, but
/// for few elements: what is left is small beside what was added before.
void cancel_blocks(PackedMatrix& a, PackedMatrix& b, Dice& dice);

}  // namespace nibblecore::comparison
