// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/common/random_stream.hpp"

namespace nibblecore {

/// Signs before a Hadamard transform.
enum class HadamardSigns {
  kPlus,               ///< all +: the deterministic transform
  kTransformerEngine,  ///< TransformerEngine's fixed 16: +++-+--- ---+-+--
  kSeeded,             ///< from a random stream
};

/// The longest group of a Hadamard transform.
inline constexpr int kLongestHadamard = 64;

/// A Hadamard transform along K in groups of `length`: y = (x . s) H / sqrt(length), H Sylvester's.
/// Both operands of a GEMM get the same one; their product is unchanged but for rounding. Signs
/// belong to the position in the group, so that every group has the same.
struct HadamardTransform {
  int length = 16;  ///< 16, 32 or 64
  HadamardSigns signs = HadamardSigns::kPlus;
  /// Of kSeeded: element i of the stream is position i; the lowest bit of its first word set is -.
  RandomStream random{0, Stream::kHadamardSigns, 0};
};

/// InputError where `k` is no multiple of the length (padding would change the product's K), the
/// length is not 16, 32 or 64, or it is not 16 with TransformerEngine's signs.
void require_hadamard(const HadamardTransform& transform, int64_t k);

/// A transform ready to use.
class Hadamard {
 public:
  /// InputError as require_hadamard for k = 0.
  explicit Hadamard(const HadamardTransform& transform);

  int length() const { return length_; }
  /// 1 or -1 of position 0..length-1.
  float sign(int position) const { return signs_[static_cast<size_t>(position)]; }

  /// Transforms the `count` values, a multiple of the length, in place. In FP32, each operation
  /// rounded to nearest even: signs; for strides 1, 2, 4, ... the butterflies (a, b) -> (a + b,
  /// a - b); one multiplication by RNE(1 / sqrt(length)), which is exact for 16 and 64.
  void transform(int64_t count, float* values) const;

 private:
  int length_;
  float factor_;
  std::array<float, kLongestHadamard> signs_{};
};

}  // namespace nibblecore
