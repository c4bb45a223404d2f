// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <cstring>

#include "model/interface/nibblecore/nibblecore.h"
#include "model/interface/nibblecore/nibblecore_dpi.h"

// The C interface on packed vectors of SystemVerilog. Its bytes are those of the vectors' words on
// a little-endian processor, which is all the library is for.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

namespace {

constexpr int kRows = 16;
constexpr int kColumns = 8;
constexpr int kDepth = 64;

struct Format {
  const char* name;
  int block;
  int scale_bytes;

  constexpr int code_bytes() const { return block / 2; }
};
constexpr Format kMxfp4{"mxfp4", 32, 1};
constexpr Format kNvfp4{"nvfp4", 16, 1};
constexpr Format kHif4{"hif4", 64, 4};

const uint8_t* bytes(const uint32_t* words) { return reinterpret_cast<const uint8_t*>(words); }

template <typename Scale>
int quantize(const Format& format, const char* preset, const uint32_t* values, uint32_t* codes,
             Scale* scale, float* tensor_scale) {
  std::array<float, kDepth> numbers{};
  if (values != nullptr) {
    std::memcpy(numbers.data(), values, static_cast<size_t>(format.block) * sizeof(float));
  }
  return nibblecore_quantize(format.name, preset, values == nullptr ? nullptr : numbers.data(), 1,
                             format.block, reinterpret_cast<uint8_t*>(codes), format.code_bytes(),
                             reinterpret_cast<uint8_t*>(scale), format.scale_bytes, tensor_scale,
                             1);
}

template <typename Scale>
int dot(const Format& format, const char* policy, const uint32_t* a_codes, Scale a_scale,
        const uint32_t* b_codes, Scale b_scale, uint32_t c, uint32_t* d) {
  return nibblecore_dot(format.name, 0, nullptr, policy, format.block, bytes(a_codes),
                        format.code_bytes(), reinterpret_cast<const uint8_t*>(&a_scale),
                        format.scale_bytes, bytes(b_codes), format.code_bytes(),
                        reinterpret_cast<const uint8_t*>(&b_scale), format.scale_bytes, c, d);
}

int mma(const Format& format, const char* policy, const uint32_t* a_codes, const uint32_t* a_scales,
        const uint32_t* b_codes, const uint32_t* b_scales, const uint32_t* c, uint32_t* d) {
  const int64_t row_codes = kDepth / 2;
  const int64_t row_scales = int64_t{kDepth} / format.block * format.scale_bytes;
  std::array<float, size_t{kRows} * kColumns> numbers{};
  if (c != nullptr) {
    std::memcpy(numbers.data(), c, sizeof numbers);
  }
  const int status =
      nibblecore_mma(format.name, 0, nullptr, policy, "emulator", kRows, kColumns, kDepth,
                     bytes(a_codes), kRows * row_codes, bytes(a_scales), kRows * row_scales, 1.0F,
                     bytes(b_codes), kColumns * row_codes, bytes(b_scales), kColumns * row_scales,
                     1.0F, numbers.data(), d == nullptr ? nullptr : numbers.data(), nullptr, 1);
  if (status == NIBBLECORE_OK && d != nullptr) {
    std::memcpy(d, numbers.data(), sizeof numbers);
  }
  return status;
}

}  // namespace

int nibblecore_dpi_quantize_mxfp4(const char* preset, const uint32_t* values, uint32_t* codes,
                                  uint8_t* scale) {
  float none = 0;
  return quantize(kMxfp4, preset, values, codes, scale, &none);
}

int nibblecore_dpi_quantize_nvfp4(const char* preset, const uint32_t* values, uint32_t* codes,
                                  uint8_t* scale, uint32_t* tensor_scale) {
  float factor = 0;
  const int status =
      quantize(kNvfp4, preset, values, codes, scale, tensor_scale == nullptr ? nullptr : &factor);
  if (status == NIBBLECORE_OK && tensor_scale != nullptr) {
    std::memcpy(tensor_scale, &factor, sizeof factor);
  }
  return status;
}

int nibblecore_dpi_quantize_hif4(const char* preset, const uint32_t* values, uint32_t* codes,
                                 uint32_t* scale) {
  float none = 0;
  return quantize(kHif4, preset, values, codes, scale, &none);
}

int nibblecore_dpi_dot_mxfp4(const char* policy, const uint32_t* a_codes, uint8_t a_scale,
                             const uint32_t* b_codes, uint8_t b_scale, uint32_t c, uint32_t* d) {
  return dot(kMxfp4, policy, a_codes, a_scale, b_codes, b_scale, c, d);
}

int nibblecore_dpi_dot_nvfp4(const char* policy, const uint32_t* a_codes, uint8_t a_scale,
                             const uint32_t* b_codes, uint8_t b_scale, uint32_t c, uint32_t* d) {
  return dot(kNvfp4, policy, a_codes, a_scale, b_codes, b_scale, c, d);
}

int nibblecore_dpi_dot_hif4(const char* policy, const uint32_t* a_codes, uint32_t a_scale,
                            const uint32_t* b_codes, uint32_t b_scale, uint32_t c, uint32_t* d) {
  return dot(kHif4, policy, a_codes, a_scale, b_codes, b_scale, c, d);
}

int nibblecore_dpi_mma_mxfp4(const char* policy, const uint32_t* a_codes, const uint32_t* a_scales,
                             const uint32_t* b_codes, const uint32_t* b_scales, const uint32_t* c,
                             uint32_t* d) {
  return mma(kMxfp4, policy, a_codes, a_scales, b_codes, b_scales, c, d);
}

int nibblecore_dpi_mma_nvfp4(const char* policy, const uint32_t* a_codes, const uint32_t* a_scales,
                             const uint32_t* b_codes, const uint32_t* b_scales, const uint32_t* c,
                             uint32_t* d) {
  return mma(kNvfp4, policy, a_codes, a_scales, b_codes, b_scales, c, d);
}

int nibblecore_dpi_mma_hif4(const char* policy, const uint32_t* a_codes, const uint32_t* a_scales,
                            const uint32_t* b_codes, const uint32_t* b_scales, const uint32_t* c,
                            uint32_t* d) {
  return mma(kHif4, policy, a_codes, a_scales, b_codes, b_scales, c, d);
}
