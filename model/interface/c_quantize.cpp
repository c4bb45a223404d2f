// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "model/interface/c_arguments.hpp"
#include "model/interface/guarded_call.hpp"
#include "model/interface/nibblecore/nibblecore.h"
#include "model/interface/version.hpp"

namespace nibblecore {
namespace {

void quantize_into(const Preset& preset, const MatrixView& values,
                   const PackedBuffers<uint8_t>& packed, float* tensor_scale, int threads) {
  require_positive(values.rows, "rows");
  require_positive(values.k, "k");
  packed.require(preset.format, values.rows, values.k);
  require_pointer(tensor_scale, "tensor_scale");
  const PackedMatrix matrix = api::quantize(values, preset, threads);
  std::memcpy(packed.codes, matrix.codes.data(), matrix.codes.size());
  std::memcpy(packed.scales, matrix.scales.data(), matrix.scales.size());
  *tensor_scale = matrix.tensor_scale;
}

const Preset& preset_of(const char* format, const char* preset) {
  return api::preset(required_name(format, "format"), optional_name(preset));
}

}  // namespace
}  // namespace nibblecore

using nibblecore::PackedBuffers;

const char* nibblecore_version(void) { return nibblecore::kLibraryVersion; }

const char* nibblecore_last_error(void) { return nibblecore::error_message(); }

int nibblecore_packed_sizes(const char* format, int block, const char* scale, int64_t rows,
                            int64_t k, int64_t* codes_size, int64_t* scales_size) {
  return nibblecore::guarded_call([&] {
    const nibblecore::BlockFormat of = nibblecore::format_of(format, block, scale);
    nibblecore::require_pointer(codes_size, "codes_size");
    nibblecore::require_pointer(scales_size, "scales_size");
    const nibblecore::api::PackedSizes sizes = nibblecore::api::packed_sizes(of, rows, k);
    *codes_size = sizes.codes;
    *scales_size = sizes.scales;
  });
}

int nibblecore_quantize(const char* format, const char* preset, const float* values, int64_t rows,
                        int64_t k, uint8_t* codes, int64_t codes_size, uint8_t* scales,
                        int64_t scales_size, float* tensor_scale, int threads) {
  return nibblecore::guarded_call([&] {
    nibblecore::quantize_into(nibblecore::preset_of(format, preset),
                              nibblecore::api::fp32_matrix(values, rows, k),
                              {codes, codes_size, scales, scales_size}, tensor_scale, threads);
  });
}

int nibblecore_quantize_bf16(const char* format, const char* preset, const uint16_t* values,
                             int64_t rows, int64_t k, uint8_t* codes, int64_t codes_size,
                             uint8_t* scales, int64_t scales_size, float* tensor_scale,
                             int threads) {
  return nibblecore::guarded_call([&] {
    nibblecore::quantize_into(nibblecore::preset_of(format, preset),
                              nibblecore::api::bf16_matrix(values, rows, k),
                              {codes, codes_size, scales, scales_size}, tensor_scale, threads);
  });
}

int nibblecore_dequantize(const char* format, int block, const char* scale, const uint8_t* codes,
                          int64_t codes_size, const uint8_t* scales, int64_t scales_size,
                          float tensor_scale, int64_t rows, int64_t k, float* values, int threads) {
  return nibblecore::guarded_call([&] {
    const nibblecore::BlockFormat of = nibblecore::format_of(format, block, scale);
    const PackedBuffers<const uint8_t> packed{codes, codes_size, scales, scales_size};
    nibblecore::require_positive(rows, "rows");
    nibblecore::require_positive(k, "k");
    packed.require(of, rows, k);
    nibblecore::require_pointer(values, "values");
    nibblecore::api::dequantize(nibblecore::matrix_of(packed, of, rows, k, tensor_scale), values,
                                threads);
  });
}
