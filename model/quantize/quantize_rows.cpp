// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/quantize_rows.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "model/common/parallel.hpp"
#include "model/quantize/magnitude_bits.hpp"
#include "model/quantize/quantize_block.hpp"

namespace nibblecore {
namespace {

/// Neighbouring rows go to one thread: in a column-major view they share cache lines.
constexpr int64_t kRowsPerPiece = 16;

/// Writes the random bits of `count` elements of row `row` from `first_k` on.
void load_random_bits(const RandomStream& random, const ElementIndex& elements, int64_t row,
                      int64_t first_k, int64_t count, uint16_t* bits) {
  for (int64_t i = 0; i < count; ++i) {
    bits[i] = random_bits16(random, elements.of(row, first_k + i));
  }
}

/// Quantizes rows that are padded with zeros to whole blocks.
class RowQuantizer {
 public:
  RowQuantizer(const RowQuantization& quantization, const QuantizedRows& to)
      : quantization_(quantization),
        to_(to),
        random_(is_stochastic(quantization.preset) ? quantization.random : std::nullopt) {}

  /// `largest`: [blocks] the magnitudes that the scales are made for.
  void quantize(const float* values, int64_t row, const uint32_t* largest) {
    PackedMatrix& packed = to_.packed;
    const int64_t length = packed.format.block;
    for (int64_t block = 0; block < packed.blocks(); ++block) {
      const int64_t first = block * length;
      const int64_t count = std::min(length, packed.k - first);
      if (random_) {
        load_random_bits(*random_, quantization_.elements, row, first, count, bits_.data());
      }
      const BlockValues input{values + first, largest[block], random_ ? bits_.data() : nullptr};
      const BlockCodes result{packed.row_scales(row) + block * packed.format.scale_bytes(),
                              codes_.data(), to_.decoded == nullptr ? nullptr : decoded_.data()};
      quantize_block(input, quantization_.preset, quantization_.tensor_scale, result);
      // Padding has code 0 even where the block's NaN scale gave it another.
      for (int64_t i = 0; i < count; ++i) {
        set_packed_code(packed.row_codes(row), first + i, codes_[static_cast<size_t>(i)]);
      }
      if (to_.decoded != nullptr) {
        std::copy_n(decoded_.begin(), count, to_.decoded + row * packed.k + first);
      }
    }
  }

 private:
  const RowQuantization& quantization_;
  const QuantizedRows& to_;
  std::optional<RandomStream> random_;
  std::array<uint8_t, kLongestBlock> codes_{};
  std::array<float, kLongestBlock> decoded_{};
  std::array<uint16_t, kLongestBlock> bits_{};  ///< those of padding don't matter: it is zero
};

/// Raises `largest`, [blocks], to the largest magnitudes of the blocks of a row.
void raise_to_largest(const float* values, int64_t block, std::vector<uint32_t>& largest) {
  for (size_t i = 0; i < largest.size(); ++i) {
    largest[i] =
        std::max(largest[i], largest_magnitude_bits(values + static_cast<int64_t>(i) * block,
                                                    static_cast<size_t>(block)));
  }
}

/// Quantizes rows begin..end, whose scales are shared by `together` rows.
void quantize_piece(const RowSource& source, const RowQuantization& quantization,
                    const QuantizedRows& to, int64_t begin, int64_t end, int64_t together) {
  const int64_t block = to.packed.format.block;
  const int64_t padded_k = to.packed.blocks() * block;
  RowQuantizer quantizer(quantization, to);
  // Zeros beyond k pad the tail.
  std::vector<float> values(static_cast<size_t>(std::min(together, end - begin) * padded_k));
  std::vector<uint32_t> largest(static_cast<size_t>(to.packed.blocks()));
  for (int64_t first = begin; first < end; first += together) {
    const int64_t count = std::min(together, end - first);
    std::fill(largest.begin(), largest.end(), 0);
    for (int64_t i = 0; i < count; ++i) {
      source(first + i, values.data() + i * padded_k);
      raise_to_largest(values.data() + i * padded_k, block, largest);
    }
    for (int64_t i = 0; i < count; ++i) {
      quantizer.quantize(values.data() + i * padded_k, first + i, largest.data());
    }
  }
}

}  // namespace

void quantize_rows(const RowSource& source, const RowQuantization& quantization, int threads,
                   const QuantizedRows& to) {
  require_choices(quantization.preset, quantization.shape, quantization.random);
  to.packed.tensor_scale = quantization.tensor_scale.decode;
  const int64_t together =
      quantization.shape == BlockShape::kSquare ? int64_t{to.packed.format.block} : 1;
  parallel_for(to.packed.rows, std::max(together, kRowsPerPiece), threads,
               [&](int64_t begin, int64_t end) {
                 quantize_piece(source, quantization, to, begin, end, together);
               });
}

void quantize_rows(const RowSource& source, const Preset& preset,
                   const Nvfp4TensorScale& tensor_scale, int threads, const QuantizedRows& to) {
  quantize_rows(source, RowQuantization{preset, tensor_scale}, threads, to);
}

}  // namespace nibblecore
