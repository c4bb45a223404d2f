// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/reference/packed_rows.hpp"

#include <algorithm>

#include "model/formats/hif4_unit.hpp"
#include "tests/unit/quantize/vectors.hpp"

namespace nibblecore {
namespace {

std::vector<uint8_t> bytes_of(const std::string& hex) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

}  // namespace

std::vector<BlockFormat> every_format() {
  std::vector<BlockFormat> formats{kHif4};
  for (const int block : {16, 32, 64}) {
    formats.push_back(make_block_format("mxfp4", block, "ue8m0"));
    formats.push_back(make_block_format("nvfp4", block, "ue4m3"));
  }
  return formats;
}

PackedMatrix random_packed(const BlockFormat& format, int64_t rows, int64_t k, std::mt19937& random,
                           const std::function<uint32_t()>& scale_code) {
  PackedMatrix matrix = make_packed_matrix(format, rows, k);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < k; ++i) {
      set_packed_code(matrix.row_codes(row), i, static_cast<uint8_t>(random() % 16));
    }
  }
  for (size_t i = 0; i < matrix.scales.size(); ++i) {
    const bool is_code = i % static_cast<size_t>(format.scale_bytes()) == 0;
    matrix.scales[i] = static_cast<uint8_t>(is_code ? scale_code() : random());
  }
  return matrix;
}

PackedMatrix packed_row(const BlockFormat& format, const std::string& codes,
                        const std::string& scales) {
  PackedMatrix row = make_packed_matrix(format, 1, static_cast<int64_t>(codes.size()));
  row.codes = bytes_of(codes);
  row.scales = bytes_of(scales);
  return row;
}

PackedMatrix amct_units() {
  const std::vector<uint8_t> records = vector_tensor<uint8_t>("hif4/amct", "unit");
  const int64_t rows = static_cast<int64_t>(records.size()) / kHif4UnitBytes;
  PackedMatrix units = make_packed_matrix(kHif4, rows, 64);
  for (int64_t row = 0; row < rows; ++row) {
    const uint8_t* record = records.data() + row * kHif4UnitBytes;
    std::copy_n(record, kHif4ScaleBytes, units.row_scales(row));
    std::copy_n(record + kHif4ScaleBytes, units.code_stride(), units.row_codes(row));
  }
  return units;
}

PackedMatrix torchao_floor_blocks() {
  const std::vector<uint8_t> codes = vector_tensor<uint8_t>("mxfp4/torchao_floor", "codes");
  const std::vector<uint8_t> scales = vector_tensor<uint8_t>("mxfp4/torchao_floor", "scale");
  PackedMatrix blocks = make_packed_matrix(kMxfp4, static_cast<int64_t>(scales.size()), 32);
  blocks.scales = scales;
  for (size_t i = 0; i < codes.size(); ++i) {
    set_packed_code(blocks.codes.data(), static_cast<int64_t>(i), codes[i] & 15);
  }
  return blocks;
}

}  // namespace nibblecore
