// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/synthetic/law.hpp"

namespace nibblecore {

/// What a synthetic tensor [rows, k] is.
struct SyntheticSpec {
  int64_t rows = 0;
  int64_t k = 0;
  Law law = kLaws[0];
  double scale = 1;  ///< every value is multiplied by it
  /// Where not 0, each run of this many elements of a row is multiplied by 2^u, u uniform in (0, 1)
  /// of its own, so that the place of a block's maximum within its octave is uniform.
  int64_t phase_length = 0;
  double outlier_rate = 0;    ///< this share of the channels (columns), to the nearest count, ...
  double outlier_factor = 1;  ///< ... is multiplied by this
  uint64_t seed = 0;
  uint32_t tensor = 0;  ///< ordinal: tensors of a run with one seed differ by it
  /// Seed of the choice of outlier channels, which tensors may share; `seed` where there is none.
  std::optional<uint64_t> channel_seed;
};

/// The set-ups G32 (`phase_length` 32) and G128 (128): `values` values of the law, a random octave
/// phase for each block or macro block, as rows of up to 4096. InputError where `values` is not a
/// positive multiple of 4096, or a power of two from 128 to 2048.
SyntheticSpec phased_set_up(const Law& law, int64_t phase_length, int64_t values, uint64_t seed);

/// Rows of a synthetic tensor, made when asked for. Values depend on the specification alone: not
/// on threads, nor on the order of rows.
class SyntheticTensor {
 public:
  /// InputError where the size is negative or overflows, the rate is outside [0, 1], the phase
  /// length is negative, or a factor is not finite.
  explicit SyntheticTensor(const SyntheticSpec& spec);

  const SyntheticSpec& spec() const { return spec_; }
  /// The octave phase 2^u of run `run` of a row; 1 where the tensor has none.
  double phase_factor(int64_t row, int64_t run) const;
  /// 1 / phase_factor^2: what energies of the run are multiplied by so that each run counts alike.
  /// Published figures on phased blocks are weighed so.
  double energy_weight(int64_t row, int64_t run) const;
  /// Writes row `row`, `k` values rounded once to FP32.
  void fill_row(int64_t row, float* values) const;
  /// All rows, [rows, k]; on up to `threads` threads (0: one per processor).
  std::vector<float> values(int threads) const;

 private:
  SyntheticSpec spec_;
  int64_t run_length_ = 1;               ///< the phase length, or the whole row
  std::vector<double> channel_factors_;  ///< scale and outlier factor of each column
};

}  // namespace nibblecore
