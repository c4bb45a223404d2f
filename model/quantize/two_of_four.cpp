// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/two_of_four.hpp"

#include <algorithm>
#include <array>

#include "model/common/parallel.hpp"

namespace nibblecore {
namespace {

constexpr int kQuad = 4;

/// Selects in one row; `selected` and `metadata` are all zero.
void select_in_row(const uint8_t* codes, int64_t quads, uint8_t* selected, uint8_t* metadata) {
  for (int64_t quad = 0; quad < quads; ++quad) {
    std::array<uint8_t, kQuad> values{};
    for (int i = 0; i < kQuad; ++i) {
      values[static_cast<size_t>(i)] = packed_code(codes, quad * kQuad + i);
    }
    const KeptPair kept = largest_two_of_four(values.data());
    for (const int i : {kept.first, kept.second}) {
      set_packed_code(selected, quad * kQuad + i, values[static_cast<size_t>(i)]);
    }
    set_packed_code(metadata, quad, kept.metadata());
  }
}

}  // namespace

KeptPair largest_two_of_four(const uint8_t* codes) {
  int largest = 0;
  for (int i = 1; i < kQuad; ++i) {
    largest = (codes[i] & 7) > (codes[largest] & 7) ? i : largest;
  }
  int next = largest == 0 ? 1 : 0;
  for (int i = next + 1; i < kQuad; ++i) {
    next = i != largest && (codes[i] & 7) > (codes[next] & 7) ? i : next;
  }
  return {std::min(largest, next), std::max(largest, next)};
}

TwoOfFour select_two_of_four(const PackedMatrix& matrix, int threads) {
  TwoOfFour result{make_packed_matrix(matrix.format, matrix.rows, matrix.k), {}};
  result.selected.scales = matrix.scales;
  result.selected.tensor_scale = matrix.tensor_scale;
  const int64_t quads = matrix.blocks() * matrix.format.block / kQuad;
  // Every block holds an even number of quads.
  const int64_t metadata_stride = quads / 2;
  result.metadata.resize(static_cast<size_t>(matrix.rows * metadata_stride));
  parallel_for(matrix.rows, 16, threads, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      select_in_row(matrix.row_codes(row), quads, result.selected.row_codes(row),
                    result.metadata.data() + row * metadata_stride);
    }
  });
  return result;
}

}  // namespace nibblecore
