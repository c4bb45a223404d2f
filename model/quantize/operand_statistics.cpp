// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/operand_statistics.hpp"

#include <cmath>
#include <vector>

#include "model/common/checked.hpp"
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
  explicit RowCounter(const StatisticsInput& operand)
      : operand_(operand),
        inputs_(static_cast<size_t>(operand.packed.k)),
        quantized_(inputs_.size()),
        decoded_(inputs_.size()),
        limits_(inputs_.size()) {}

  void count(int64_t row, OperandStatistics& statistics) {
    operand_.inputs(row, inputs_.data());
    operand_.quantized(row, quantized_.data());
    dequantize_row(operand_.packed, row, decoded_.data(), operand_.macro);
    load_limits(operand_.packed, row, limits_.data());
    for (size_t i = 0; i < inputs_.size(); ++i) {
      statistics.agreement.add(inputs_[i], decoded_[i]);
      if (inputs_[i] == 0 || !std::isfinite(inputs_[i])) {
        continue;
      }
      ++statistics.non_zero;
      statistics.underflows += decoded_[i] == 0 ? 1 : 0;
      statistics.saturations += limits_[i] > 0 && std::fabs(quantized_[i]) > limits_[i] ? 1 : 0;
    }
  }

 private:
  const StatisticsInput& operand_;
  std::vector<float> inputs_;
  std::vector<float> quantized_;
  std::vector<float> decoded_;
  std::vector<double> limits_;
};

}  // namespace

OperandStatistics& operator+=(OperandStatistics& sum, const OperandStatistics& other) {
  sum.non_zero += other.non_zero;
  sum.underflows += other.underflows;
  sum.saturations += other.saturations;
  sum.agreement += other.agreement;
  return sum;
}

OperandStatistics operand_statistics(const StatisticsInput& operand, int threads) {
  constexpr int64_t kRowsPerPiece = 16;
  const int64_t rows = operand.packed.rows;
  // Summed in the order of the rows, whichever thread counted them.
  std::vector<OperandStatistics> pieces(static_cast<size_t>(ceil_divide(rows, kRowsPerPiece)));
  parallel_for(rows, kRowsPerPiece, threads, [&](int64_t begin, int64_t end) {
    RowCounter counter(operand);
    for (int64_t row = begin; row < end; ++row) {
      counter.count(row, pieces[static_cast<size_t>(row / kRowsPerPiece)]);
    }
  });
  OperandStatistics total;
  for (const OperandStatistics& piece : pieces) {
    total += piece;
  }
  return total;
}

OperandStatistics operand_statistics(const MatrixView& input, const PackedMatrix& packed,
                                     int threads) {
  if (input.rows != packed.rows || input.k != packed.k) {
    throw InternalError("statistics of a matrix and a packed matrix of another size");
  }
  const RowSource rows = [&](int64_t row, float* values) { load_row(input, row, values); };
  return operand_statistics({rows, rows, packed}, threads);
}

}  // namespace nibblecore
