/* SPDX-License-Identifier: Apache-2.0 */
/* What nibblecore.sv imports by DPI-C. `const uint32_t*` is `const svBitVecVal*`: bit i of a packed
 * vector is bit i % 32 of word i / 32. Element i of a block or matrix has bits 4i to 4i + 3 of its
 * codes, scale i bits 8i to 8i + 7 (HiF4: 32i to 32i + 31), number i bits 32i to 32i + 31, all
 * row-major. Every function returns a status of nibblecore.h and writes nothing where it fails. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One block of FP32 numbers to codes and scale; NVFP4's tensor scale, FP32 bits, is that of the
 * block alone. "" is the format's default preset. */
int nibblecore_dpi_quantize_mxfp4(const char* preset, const uint32_t* values, uint32_t* codes,
                                  uint8_t* scale);
int nibblecore_dpi_quantize_nvfp4(const char* preset, const uint32_t* values, uint32_t* codes,
                                  uint8_t* scale, uint32_t* tensor_scale);
int nibblecore_dpi_quantize_hif4(const char* preset, const uint32_t* values, uint32_t* codes,
                                 uint32_t* scale);

/* *d = c + a b of one block, FP32 bits. Blocks shorter than the policy's instruction are refused.
 */
int nibblecore_dpi_dot_mxfp4(const char* policy, const uint32_t* a_codes, uint8_t a_scale,
                             const uint32_t* b_codes, uint8_t b_scale, uint32_t c, uint32_t* d);
int nibblecore_dpi_dot_nvfp4(const char* policy, const uint32_t* a_codes, uint8_t a_scale,
                             const uint32_t* b_codes, uint8_t b_scale, uint32_t c, uint32_t* d);
int nibblecore_dpi_dot_hif4(const char* policy, const uint32_t* a_codes, uint32_t a_scale,
                            const uint32_t* b_codes, uint32_t b_scale, uint32_t c, uint32_t* d);

/* D[16, 8] = A[16, 64] B[8, 64]^T + C[16, 8], FP32 bits: an MMA step. */
int nibblecore_dpi_mma_mxfp4(const char* policy, const uint32_t* a_codes, const uint32_t* a_scales,
                             const uint32_t* b_codes, const uint32_t* b_scales, const uint32_t* c,
                             uint32_t* d);
int nibblecore_dpi_mma_nvfp4(const char* policy, const uint32_t* a_codes, const uint32_t* a_scales,
                             const uint32_t* b_codes, const uint32_t* b_scales, const uint32_t* c,
                             uint32_t* d);
int nibblecore_dpi_mma_hif4(const char* policy, const uint32_t* a_codes, const uint32_t* a_scales,
                            const uint32_t* b_codes, const uint32_t* b_scales, const uint32_t* c,
                            uint32_t* d);

#ifdef __cplusplus
}
#endif
