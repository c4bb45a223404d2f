// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/reference/mma_vectors.hpp"

#include <algorithm>

#include "tests/unit/quantize/vectors.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kDepth = 64;

/// The format that the end of a file's name states, such as block16_ue4m3.
BlockFormat format_of(const std::string& file) {
  const size_t block = file.rfind("block") + 5;
  return make_block_format("mxfp4", std::stoi(file.substr(block, 2)), file.substr(block + 3));
}

}  // namespace

MmaVectors::MmaVectors(const std::string& file)
    : format(format_of(file)),
      c(vector_tensor<uint32_t>("mma/" + file, "c")),
      d(vector_tensor<uint32_t>("mma/" + file, "d")),
      d_v1(vector_tensor<uint32_t>("mma/" + file, "d_v1")),
      status(vector_tensor<uint8_t>("mma/" + file, "status")),
      tiles_(static_cast<int64_t>(vector_tensor<uint8_t>("mma/" + file, "family").size())),
      a_(vector_tensor<uint8_t>("mma/" + file, "a")),
      a_scale_(vector_tensor<uint8_t>("mma/" + file, "a_scale")),
      b_(vector_tensor<uint8_t>("mma/" + file, "b")),
      b_scale_(vector_tensor<uint8_t>("mma/" + file, "b_scale")) {
  m_ = static_cast<int64_t>(a_.size()) / (tiles_ * kDepth / 2);
  n_ = static_cast<int64_t>(b_.size()) / (tiles_ * kDepth / 2);
}

PackedMatrix MmaVectors::operand(const std::vector<uint8_t>& codes,
                                 const std::vector<uint8_t>& scales, int64_t rows,
                                 int64_t tile) const {
  PackedMatrix matrix = make_packed_matrix(format, rows, kDepth);
  const auto take = [tile](const std::vector<uint8_t>& from, std::vector<uint8_t>& to) {
    const auto size = static_cast<int64_t>(to.size());
    std::copy_n(from.begin() + tile * size, size, to.begin());
  };
  take(codes, matrix.codes);
  take(scales, matrix.scales);
  return matrix;
}

}  // namespace nibblecore
