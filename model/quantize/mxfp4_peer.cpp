// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/mxfp4_peer.hpp"

#include <algorithm>

#include "model/common/bits.hpp"
#include "model/formats/fp32.hpp"
#include "model/quantize/mxfp4_log2f.hpp"
#include "model/quantize/mxfp4_peer_decode.hpp"
#include "model/quantize/mxfp4_peer_elements.hpp"
#include "model/quantize/mxfp4_peer_scale.hpp"

namespace nibblecore {
namespace {

/// FP32 bits of the largest magnitude that is not NaN.
uint32_t largest_number_bits(const float* values, int size) {
  uint32_t largest = 0;
  for (int i = 0; i < size; ++i) {
    const uint32_t bits = float_bits(values[i]) & ~kFp32SignBit;
    largest = fp32_is_nan(bits) ? largest : std::max(largest, bits);
  }
  return largest;
}

bool is_flushed(uint32_t largest, Mxfp4Quirks quirks) {
  return quirks.has(Mxfp4Quirk::kFlushSubnormalBlocks) && largest != 0 && fp32_is_finite(largest) &&
         floor_log2f(bits_float(largest)) <= -127;
}

}  // namespace

void quantize_mxfp4_peer_block(const BlockValues& block, int size, const Mxfp4Rule& rule,
                               const BlockCodes& result) {
  const Mxfp4Quirks quirks = rule.quirks;
  const bool leaves_nan_out = quirks.has(Mxfp4Quirk::kNanIgnored) && fp32_is_nan(block.largest);
  const uint32_t largest = leaves_nan_out ? largest_number_bits(block.values, size) : block.largest;
  *result.scale = mxfp4_peer_scale(largest, rule);
  const bool refused = quirks.has(Mxfp4Quirk::kNanRefused) && fp32_is_nan(largest);
  if (refused || is_flushed(largest, quirks)) {
    std::fill_n(result.codes, size, uint8_t{0});
  } else {
    mxfp4_peer_codes(block.values, size, *result.scale, rule, result.codes);
  }
  for (int i = 0; i < size && result.decoded != nullptr; ++i) {
    result.decoded[i] =
        refused ? bits_float(kFp32Nan) : mxfp4_peer_decode(result.codes[i], *result.scale, quirks);
  }
  if (quirks.has(Mxfp4Quirk::kCodesDropZeroSign)) {
    std::replace(result.codes, result.codes + size, uint8_t{8}, uint8_t{0});
  }
}

}  // namespace nibblecore
