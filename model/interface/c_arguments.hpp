// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/interface/argument_checks.hpp"
#include "model/interface/nibblecore/nibblecore.hpp"

// Arguments of the C interface as the library's own types.
namespace nibblecore {

/// InputError at `place` where it is null.
inline std::string_view required_name(const char* name, const std::string& place) {
  require_pointer(name, place);
  return name;
}

/// Empty where it is null.
inline std::string_view optional_name(const char* name) {
  return name == nullptr ? std::string_view{} : std::string_view(name);
}

inline BlockFormat format_of(const char* format, int block, const char* scale) {
  return api::format(required_name(format, "format"), block, optional_name(scale));
}

/// Codes and scales of the caller, `Byte` const or not.
template <typename Byte>
struct PackedBuffers {
  Byte* codes;
  int64_t codes_size;
  Byte* scales;
  int64_t scales_size;

  /// InputError where they are not those of a matrix [rows, k]; `prefix` is that of their names.
  void require(const BlockFormat& format, int64_t rows, int64_t k,
               const std::string& prefix = {}) const {
    const api::PackedSizes sizes = api::packed_sizes(format, rows, k);
    require_size(codes_size, sizes.codes, prefix + "codes_size");
    require_size(scales_size, sizes.scales, prefix + "scales_size");
    require_pointer(codes, prefix + "codes");
    require_pointer(scales, prefix + "scales");
  }
};

/// Copies buffers that have been checked.
inline PackedMatrix matrix_of(const PackedBuffers<const uint8_t>& buffers,
                              const BlockFormat& format, int64_t rows, int64_t k,
                              float tensor_scale) {
  PackedMatrix matrix;
  matrix.format = format;
  matrix.rows = rows;
  matrix.k = k;
  matrix.codes.assign(buffers.codes, buffers.codes + buffers.codes_size);
  matrix.scales.assign(buffers.scales, buffers.scales + buffers.scales_size);
  matrix.tensor_scale = tensor_scale;
  return matrix;
}

}  // namespace nibblecore
