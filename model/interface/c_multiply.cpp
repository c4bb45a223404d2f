// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <vector>

#include "model/common/checked.hpp"
#include "model/interface/c_arguments.hpp"
#include "model/interface/guarded_call.hpp"
#include "model/interface/nibblecore/nibblecore.h"

using nibblecore::PackedBuffers;

int nibblecore_dot(const char* format, int block, const char* scale, const char* policy, int64_t k,
                   const uint8_t* a_codes, int64_t a_codes_size, const uint8_t* a_scales,
                   int64_t a_scales_size, const uint8_t* b_codes, int64_t b_codes_size,
                   const uint8_t* b_scales, int64_t b_scales_size, uint32_t c, uint32_t* d) {
  return nibblecore::guarded_call([&] {
    const nibblecore::BlockFormat of = nibblecore::format_of(format, block, scale);
    const auto rule = nibblecore::api::policy(nibblecore::required_name(policy, "policy"));
    const PackedBuffers<const uint8_t> a{a_codes, a_codes_size, a_scales, a_scales_size};
    const PackedBuffers<const uint8_t> b{b_codes, b_codes_size, b_scales, b_scales_size};
    nibblecore::require_format_of(rule, of);
    nibblecore::require_positive(k, "k");
    nibblecore::require_whole_k(k, of, rule);
    a.require(of, 1, k, "a_");
    b.require(of, 1, k, "b_");
    nibblecore::require_pointer(d, "d");
    *d = nibblecore::api::dot(nibblecore::matrix_of(a, of, 1, k, 1.0F), 0,
                              nibblecore::matrix_of(b, of, 1, k, 1.0F), 0, rule, c);
  });
}

int nibblecore_mma(const char* format, int block, const char* scale, const char* policy,
                   const char* engine, int64_t m, int64_t n, int64_t k, const uint8_t* a_codes,
                   int64_t a_codes_size, const uint8_t* a_scales, int64_t a_scales_size,
                   float a_tensor_scale, const uint8_t* b_codes, int64_t b_codes_size,
                   const uint8_t* b_scales, int64_t b_scales_size, float b_tensor_scale,
                   const float* c, float* d, uint8_t* truncation, int threads) {
  return nibblecore::guarded_call([&] {
    const nibblecore::BlockFormat of = nibblecore::format_of(format, block, scale);
    const auto rule = nibblecore::api::policy(nibblecore::required_name(policy, "policy"));
    const auto by = nibblecore::api::engine(nibblecore::required_name(engine, "engine"));
    const PackedBuffers<const uint8_t> a{a_codes, a_codes_size, a_scales, a_scales_size};
    const PackedBuffers<const uint8_t> b{b_codes, b_codes_size, b_scales, b_scales_size};
    nibblecore::require_format_of(rule, of);
    nibblecore::require_positive(m, "m");
    nibblecore::require_positive(n, "n");
    nibblecore::require_positive(k, "k");
    nibblecore::require_whole_k(k, of, rule);
    a.require(of, m, k, "a_");
    b.require(of, n, k, "b_");
    nibblecore::require_pointer(d, "d");
    const auto outputs = static_cast<size_t>(nibblecore::checked_multiply(m, n, "outputs"));
    // A buffer of the library's own: what is the caller's is written when nothing can fail.
    std::vector<uint32_t> bits(outputs);
    std::vector<uint8_t> losses(truncation == nullptr ? 0 : outputs);
    if (c != nullptr) {
      std::memcpy(bits.data(), c, outputs * sizeof(float));
    }
    nibblecore::api::gemm(nibblecore::matrix_of(a, of, m, k, a_tensor_scale),
                          nibblecore::matrix_of(b, of, n, k, b_tensor_scale), rule, bits.data(),
                          bits.data(),
                          {by, threads, truncation == nullptr ? nullptr : losses.data()});
    std::memcpy(d, bits.data(), outputs * sizeof(float));
    if (truncation != nullptr) {
      std::memcpy(truncation, losses.data(), outputs);
    }
  });
}
