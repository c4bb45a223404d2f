// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/multiply_peak.hpp"

#include <immintrin.h>

#include "model/emulate/emulator_target.hpp"

namespace nibblecore::bench {
namespace {

constexpr int kTurns = 8000000;  // tens of milliseconds, as long as a GEMM
constexpr int kChains = 12;

// The sums pass through an empty instruction, so that no turn is left out.
[[gnu::target("avx512f,avx512vnni")]] void run_avx512() {
  __m512i sums[kChains] = {};
  const __m512i a = _mm512_set1_epi8(3);
  const __m512i b = _mm512_set1_epi8(2);
  for (int turn = 0; turn < kTurns; ++turn) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) {
      sums[i] = _mm512_dpbusd_epi32(sums[i], a, b);
      asm volatile("" : "+v"(sums[i]));
    }
  }
}

[[gnu::target("avx2,avxvnni")]] void run_avxvnni() {
  __m256i sums[kChains] = {};
  const __m256i a = _mm256_set1_epi8(3);
  const __m256i b = _mm256_set1_epi8(2);
  for (int turn = 0; turn < kTurns; ++turn) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) {
      sums[i] = _mm256_dpbusd_avx_epi32(sums[i], a, b);
      asm volatile("" : "+x"(sums[i]));
    }
  }
}

[[gnu::target("avx2")]] void run_avx2() {
  __m256i sums[kChains] = {};
  __m256i a = _mm256_set1_epi8(3);
  const __m256i b = _mm256_set1_epi8(2);
  for (int turn = 0; turn < kTurns; ++turn) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) {
      asm volatile("" : "+x"(a));
      sums[i] = _mm256_add_epi16(sums[i], _mm256_maddubs_epi16(a, b));
      asm volatile("" : "+x"(sums[i]));
    }
  }
}

void run_portable() {
  __m128i sums[kChains] = {};
  __m128i a = _mm_set1_epi16(3);
  const __m128i b = _mm_set1_epi16(2);
  for (int turn = 0; turn < kTurns; ++turn) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) {
      asm volatile("" : "+x"(a));
      sums[i] = _mm_add_epi32(sums[i], _mm_madd_epi16(a, b));
      asm volatile("" : "+x"(sums[i]));
    }
  }
}

Contender peak(const char* name, int products, void (*run)()) {
  return {name, double{kTurns} * kChains * products, timed(run)};
}

}  // namespace

Contender multiply_peak() {
  if (is_available(EmulatorTarget::kAvx512Vnni)) {
    return peak("peak of vpdpbusd on 512 bits, 12 chains, one thread", 64, run_avx512);
  }
  if (is_available(EmulatorTarget::kAvxVnni)) {
    return peak("peak of vpdpbusd on 256 bits, 12 chains, one thread", 32, run_avxvnni);
  }
  if (is_available(EmulatorTarget::kAvx2)) {
    return peak("peak of vpmaddubsw and vpaddw, 12 chains, one thread", 32, run_avx2);
  }
  return peak("peak of pmaddwd and paddd, 12 chains, one thread", 8, run_portable);
}

}  // namespace nibblecore::bench
