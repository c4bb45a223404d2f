// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/operand_statistics.hpp"

#include <cmath>
#include <mutex>
#include <vector>

#include "model/common/error.hpp"
#include "model/common/parallel.hpp"
#include "model/formats/dequantize.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/hif4_unit.hpp"
#include "model/formats/ue4m3.hpp"

namespace nibblecore {
namespace {

constexpr double kLargestE2m1 = 6.0;
constexpr double kLargestS1p2 = 1.75;

/// Largest magnitudes that the scales of one row allow, element for element; NaN under a NaN
/// scale. Exact: at most 7 significant bits times the 24 of the tensor scale.
void load_limits(const PackedMatrix& packed, int64_t row, double* limits) {
  const uint8_t* scales = packed.row_scales(row);
  const NumberFormat& e2m1_scale =
      packed.format.scale == ScaleKind::kE8m0 ? kE8m0Format : kUe4m3Format;
  double block_limit = 0;
  Hif4Unit unit;
  for (int64_t i = 0; i < packed.k; ++i) {
    const int64_t block = i / packed.format.block;
    const int64_t offset = i % packed.format.block;
    if (packed.format.scale == ScaleKind::kHif4) {
      if (offset == 0) {
        unpack_hif4_scale(scales + block * kHif4ScaleBytes, unit);
        block_limit = kLargestS1p2 * decode_double(kE6m2Format, unit.e6m2) * packed.tensor_scale;
      }
      limits[i] = std::ldexp(block_limit, unit.micro_exponent(static_cast<int>(offset)));
    } else {
      if (offset == 0) {
        block_limit = kLargestE2m1 * decode_double(e2m1_scale, scales[block]) * packed.tensor_scale;
      }
      limits[i] = block_limit;
    }
  }
}

class RowCounter {
 public:
  RowCounter(const MatrixView& input, const PackedMatrix& packed)
      : input_(input),
        packed_(packed),
        values_(static_cast<size_t>(packed.k)),
        decoded_(static_cast<size_t>(packed.k)),
        limits_(static_cast<size_t>(packed.k)) {}

  void count(int64_t row, OperandStatistics& statistics) {
    load_row(input_, row, values_.data());
    dequantize_row(packed_, row, decoded_.data());
    load_limits(packed_, row, limits_.data());
    for (size_t i = 0; i < values_.size(); ++i) {
      if (values_[i] == 0 || !std::isfinite(values_[i])) {
        continue;
      }
      ++statistics.non_zero;
      statistics.underflows += decoded_[i] == 0 ? 1 : 0;
      statistics.saturations += limits_[i] > 0 && std::fabs(values_[i]) > limits_[i] ? 1 : 0;
    }
  }

 private:
  const MatrixView& input_;
  const PackedMatrix& packed_;
  std::vector<float> values_;
  std::vector<float> decoded_;
  std::vector<double> limits_;
};

}  // namespace

OperandStatistics operand_statistics(const MatrixView& input, const PackedMatrix& packed,
                                     int threads) {
  if (input.rows != packed.rows || input.k != packed.k) {
    throw InternalError("statistics of a matrix and a packed matrix of another size");
  }
  OperandStatistics total;
  std::mutex total_mutex;
  constexpr int64_t kRowsPerPiece = 16;
  parallel_for(packed.rows, kRowsPerPiece, threads, [&](int64_t begin, int64_t end) {
    OperandStatistics piece;
    RowCounter counter(input, packed);
    for (int64_t row = begin; row < end; ++row) {
      counter.count(row, piece);
    }
    const std::lock_guard<std::mutex> lock(total_mutex);
    total.non_zero += piece.non_zero;
    total.underflows += piece.underflows;
    total.saturations += piece.saturations;
  });
  return total;
}

}  // namespace nibblecore
