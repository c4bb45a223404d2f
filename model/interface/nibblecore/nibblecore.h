/* SPDX-License-Identifier: Apache-2.0 */
/* Nibblecore for C and every language that calls C. docs/library.md has an example.
 *
 * Every function that can fail returns a status; where it is not NIBBLECORE_OK,
 * nibblecore_last_error() says why and no buffer has been written to. Functions may be called from
 * several threads at once.
 *
 * Names are those of `nibblecore list`. A format is given by three arguments: `format` (mxfp4,
 * hif4, nvfp4), `block` (16, 32, 64; 0: the format's own) and `scale` (ue8m0, ue4m3, hif4; NULL:
 * the format's own). Matrices are row-major. A matrix of numbers has the shape that the call names;
 * packed codes (two a byte, the even one in the low nibble, rows padded to whole blocks) and scales
 * have the sizes that nibblecore_packed_sizes tells, which are passed, in bytes, and checked.
 * `threads`: how many to use at most, 0 one per processor; no result depends on it. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum nibblecore_status {
  NIBBLECORE_OK = 0,
  NIBBLECORE_BAD_INPUT = 2, /* an argument is wrong */
  NIBBLECORE_INTERNAL = 3,  /* a fault of the library itself */
  NIBBLECORE_OUT_OF_MEMORY = 4
};

/* The version of the library, as in "0.1.0". */
const char* nibblecore_version(void);

/* Why this thread's last call failed, "" where it did not; valid until the thread's next call. */
const char* nibblecore_last_error(void);

/* Bytes of a packed matrix [rows, k]. */
int nibblecore_packed_sizes(const char* format, int block, const char* scale, int64_t rows,
                            int64_t k, int64_t* codes_size, int64_t* scales_size);

/* Quantizes FP32 numbers [rows, k] along k by a preset of a format with its own block and scale;
 * NULL or "" is the format's default preset. `tensor_scale` receives 1 where the format has none.
 */
int nibblecore_quantize(const char* format, const char* preset, const float* values, int64_t rows,
                        int64_t k, uint8_t* codes, int64_t codes_size, uint8_t* scales,
                        int64_t scales_size, float* tensor_scale, int threads);

/* The same for BF16 numbers, given as their bits. */
int nibblecore_quantize_bf16(const char* format, const char* preset, const uint16_t* values,
                             int64_t rows, int64_t k, uint8_t* codes, int64_t codes_size,
                             uint8_t* scales, int64_t scales_size, float* tensor_scale,
                             int threads);

/* Writes the FP32 numbers [rows, k] that codes, scales and tensor scale stand for. */
int nibblecore_dequantize(const char* format, int block, const char* scale, const uint8_t* codes,
                          int64_t codes_size, const uint8_t* scales, int64_t scales_size,
                          float tensor_scale, int64_t rows, int64_t k, float* values, int threads);

/* *d = c + a b of two rows of k elements, as FP32 bits, under an accumulation policy, by the golden
 * reference. k: a multiple of the block, under blackwell and blackwell-v1 of 64. */
int nibblecore_dot(const char* format, int block, const char* scale, const char* policy, int64_t k,
                   const uint8_t* a_codes, int64_t a_codes_size, const uint8_t* a_scales,
                   int64_t a_scales_size, const uint8_t* b_codes, int64_t b_codes_size,
                   const uint8_t* b_scales, int64_t b_scales_size, uint32_t c, uint32_t* d);

/* D[m, n] = A[m, k] B[n, k]^T + C[m, n]; the accumulators start at C (NULL: +0), and the result is
 * multiplied by both tensor scales at the end. k as for nibblecore_dot. `engine`: emulator (fast)
 * or reference (golden), with equal bits. `truncation`, unless NULL, receives [m, n] bytes of what
 * truncation took: 1 where alignment lost bits, 2 where the result did, 3 both. `c` may be `d`. */
int nibblecore_mma(const char* format, int block, const char* scale, const char* policy,
                   const char* engine, int64_t m, int64_t n, int64_t k, const uint8_t* a_codes,
                   int64_t a_codes_size, const uint8_t* a_scales, int64_t a_scales_size,
                   float a_tensor_scale, const uint8_t* b_codes, int64_t b_codes_size,
                   const uint8_t* b_scales, int64_t b_scales_size, float b_tensor_scale,
                   const float* c, float* d, uint8_t* truncation, int threads);

#ifdef __cplusplus
}
#endif
