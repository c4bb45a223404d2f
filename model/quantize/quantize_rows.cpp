// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/quantize_rows.hpp"

#include <algorithm>
#include <vector>

#include "model/common/parallel.hpp"
#include "model/quantize/hif4.hpp"
#include "model/quantize/mxfp4.hpp"

namespace nibblecore {
namespace {

/// Neighbouring rows go to one thread: in a column-major view they share cache lines.
constexpr int64_t kRowsPerPiece = 16;

/// Fills `packed` from every block of `source`. `quantize_unit`: block values to a unit with
/// pack().
template <typename QuantizeUnit>
void quantize_blocks(const RowSource& source, PackedMatrix& packed, int threads,
                     const QuantizeUnit& quantize_unit) {
  const int64_t block_size = packed.format.block;
  const int64_t scale_bytes = packed.format.scale_bytes();
  parallel_for(packed.rows, kRowsPerPiece, threads, [&](int64_t begin, int64_t end) {
    // Zeros beyond k pad the tail.
    std::vector<float> values(static_cast<size_t>(packed.blocks() * block_size));
    for (int64_t row = begin; row < end; ++row) {
      source(row, values.data());
      for (int64_t block = 0; block < packed.blocks(); ++block) {
        auto unit = quantize_unit(values.data() + block * block_size);
        const int64_t count = std::min(block_size, packed.k - block * block_size);
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

/// Fills a matrix by whichever rule a preset holds.
struct QuantizeByRule {
  const RowSource& source;
  const Nvfp4TensorScale& tensor_scale;
  int threads;
  PackedMatrix& packed;

  void operator()(const Mxfp4Rule& rule) const {
    quantize_blocks(source, packed, threads,
                    [&](const float* values) { return quantize_mxfp4(values, rule); });
  }

  void operator()(const Hif4Rule& rule) const {
    quantize_blocks(source, packed, threads,
                    [&](const float* values) { return quantize_hif4(values, rule); });
  }

  void operator()(const Nvfp4Rule& /*rule*/) const {
    quantize_blocks(source, packed, threads,
                    [&](const float* values) { return quantize_nvfp4(values, tensor_scale); });
  }
};

}  // namespace

void quantize_rows(const RowSource& source, const Preset& preset,
                   const Nvfp4TensorScale& tensor_scale, int threads, PackedMatrix& packed) {
  packed.tensor_scale = tensor_scale.decode;
  std::visit(QuantizeByRule{source, tensor_scale, threads, packed}, preset.rule);
}

}  // namespace nibblecore
