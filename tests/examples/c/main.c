/* SPDX-License-Identifier: Apache-2.0 */
/* Quantizes two small matrices to NVFP4, multiplies them, and checks every bit. */
#include <nibblecore/nibblecore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 3, N = 5, K = 64, THREADS = 1 };

/* A packed matrix and its buffers. */
struct packed {
  uint8_t* codes;
  uint8_t* scales;
  int64_t codes_size;
  int64_t scales_size;
  float tensor_scale;
};

static void require(int status) {
  if (status != NIBBLECORE_OK) {
    fprintf(stderr, "status %d: %s\n", status, nibblecore_last_error());
    exit(2);
  }
}

static struct packed quantize(const float* values, int64_t rows) {
  struct packed matrix;
  require(
      nibblecore_packed_sizes("nvfp4", 0, NULL, rows, K, &matrix.codes_size, &matrix.scales_size));
  matrix.codes = malloc((size_t)matrix.codes_size);
  matrix.scales = malloc((size_t)matrix.scales_size);
  if (matrix.codes == NULL || matrix.scales == NULL) {
    exit(2);
  }
  require(nibblecore_quantize("nvfp4", "hifloat4_nvfp4", values, rows, K, matrix.codes,
                              matrix.codes_size, matrix.scales, matrix.scales_size,
                              &matrix.tensor_scale, THREADS));
  return matrix;
}

static void multiply(const struct packed* a, const struct packed* b, const char* policy,
                     const char* engine, float* d) {
  require(nibblecore_mma("nvfp4", 0, NULL, policy, engine, M, N, K, a->codes, a->codes_size,
                         a->scales, a->scales_size, a->tensor_scale, b->codes, b->codes_size,
                         b->scales, b->scales_size, b->tensor_scale, NULL, d, NULL, THREADS));
}

static int engines_agree(const struct packed* a, const struct packed* b, const char* policy) {
  float fast[M * N];
  float golden[M * N];
  multiply(a, b, policy, "emulator", fast);
  multiply(a, b, policy, "reference", golden);
  return memcmp(fast, golden, sizeof fast) == 0;
}

/* Refused calls say why and write nothing. */
static int refuses(const struct packed* a) {
  float values[M * K] = {-1};
  const int status = nibblecore_dequantize("nvfp4", 0, NULL, a->codes, a->codes_size - 1, a->scales,
                                           a->scales_size, a->tensor_scale, M, K, values, THREADS);
  return status == NIBBLECORE_BAD_INPUT && values[0] == -1 &&
         strcmp(nibblecore_last_error(), "codes_size: 95 bytes, expected 96") == 0;
}

int main(void) {
  float a_values[M * K];
  float b_values[N * K];
  float back[M * K];
  float d[M * N];
  struct packed a;
  struct packed b;
  int right;
  /* Numbers that NVFP4 has, so that the product of the quantized matrices is the product itself. */
  for (int i = 0; i < M * K; ++i) {
    a_values[i] = i % 8 == 0 ? 6.0F : (float)(i % 5 - 2);
  }
  for (int i = 0; i < N * K; ++i) {
    b_values[i] = i % 16 == 3 ? -6.0F : (float)(i % 3);
  }
  a = quantize(a_values, M);
  b = quantize(b_values, N);
  printf("nibblecore %s\n", nibblecore_version());

  right = engines_agree(&a, &b, "fp32-rne") && engines_agree(&a, &b, "blackwell") && refuses(&a);
  require(nibblecore_dequantize("nvfp4", 0, NULL, a.codes, a.codes_size, a.scales, a.scales_size,
                                a.tensor_scale, M, K, back, THREADS));
  multiply(&a, &b, "exact", "emulator", d);
  for (int i = 0; i < M * N; ++i) {
    float sum = 0;
    for (int k = 0; k < K; ++k) {
      sum += a_values[i / N * K + k] * b_values[i % N * K + k];
    }
    right = right && d[i] == sum;
  }
  for (int i = 0; i < M * K; ++i) {
    right = right && back[i] == a_values[i];
  }
  puts(right ? "all bits as expected" : "bits differ");
  free(a.codes);
  free(a.scales);
  free(b.codes);
  free(b.scales);
  return right ? 0 : 1;
}
