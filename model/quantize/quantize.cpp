// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/quantize.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "model/common/bits.hpp"
#include "model/common/parallel.hpp"
#include "model/quantize/hif4.hpp"
#include "model/quantize/magnitude_bits.hpp"
#include "model/quantize/mxfp4.hpp"
#include "model/quantize/nvfp4.hpp"

namespace nibblecore {
namespace {

/// Neighbouring rows go to one thread: in a column-major view they share cache lines.
constexpr int64_t kRowsPerPiece = 16;

/// Fills `packed` from every block of `input`. `quantize_unit`: block values to a unit with pack().
template <typename QuantizeUnit>
void quantize_blocks(const MatrixView& input, PackedMatrix& packed, int threads,
                     const QuantizeUnit& quantize_unit) {
  const int64_t block_size = packed.format.block;
  const int64_t scale_bytes = packed.format.scale_bytes();
  parallel_for(input.rows, kRowsPerPiece, threads, [&](int64_t begin, int64_t end) {
    // Zeros beyond k pad the tail.
    std::vector<float> values(static_cast<size_t>(packed.blocks() * block_size));
    for (int64_t row = begin; row < end; ++row) {
      load_row(input, row, values.data());
      for (int64_t block = 0; block < packed.blocks(); ++block) {
        auto unit = quantize_unit(values.data() + block * block_size);
        const int64_t count = std::min(block_size, input.k - block * block_size);
        // Padding has code 0 even where the unit's NaN scale gave it another.
        std::fill(unit.codes.begin() + count, unit.codes.end(), uint8_t{0});
        const auto record = pack(unit);
        const auto codes = record.begin() + scale_bytes;
        std::copy(record.begin(), codes, packed.row_scales(row) + block * scale_bytes);
        std::copy(codes, record.end(), packed.row_codes(row) + block * block_size / 2);
      }
    }
  });
}

/// Quantizes a matrix by whichever rule a preset holds.
struct QuantizeByRule {
  const MatrixView& input;
  int threads;

  PackedMatrix operator()(const Mxfp4Rule& rule) const {
    PackedMatrix packed = make_packed_matrix(kMxfp4, input.rows, input.k);
    quantize_blocks(input, packed, threads,
                    [&](const float* values) { return quantize_mxfp4(values, rule); });
    return packed;
  }

  PackedMatrix operator()(const Hif4Rule& rule) const {
    PackedMatrix packed = make_packed_matrix(kHif4, input.rows, input.k);
    quantize_blocks(input, packed, threads,
                    [&](const float* values) { return quantize_hif4(values, rule); });
    return packed;
  }

  PackedMatrix operator()(const Nvfp4Rule& /*rule*/) const {
    PackedMatrix packed = make_packed_matrix(kNvfp4, input.rows, input.k);
    const Nvfp4TensorScale scale = nvfp4_tensor_scale(largest_magnitude(input, threads));
    quantize_blocks(input, packed, threads,
                    [&](const float* values) { return quantize_nvfp4(values, scale); });
    packed.tensor_scale = scale.decode;
    return packed;
  }
};

}  // namespace

PackedMatrix quantize(const MatrixView& input, const Preset& preset, int threads) {
  return std::visit(QuantizeByRule{input, threads}, preset.rule);
}

float largest_magnitude(const MatrixView& input, int threads) {
  uint32_t largest = 0;
  std::mutex largest_mutex;
  parallel_for(input.rows, kRowsPerPiece, threads, [&](int64_t begin, int64_t end) {
    std::vector<float> values(static_cast<size_t>(input.k));
    uint32_t piece_largest = 0;
    for (int64_t row = begin; row < end; ++row) {
      load_row(input, row, values.data());
      piece_largest = std::max(piece_largest, largest_magnitude_bits(values.data(), values.size()));
    }
    const std::lock_guard<std::mutex> lock(largest_mutex);
    largest = std::max(largest, piece_largest);
  });
  return bits_float(largest);
}

}  // namespace nibblecore
