// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "hw/datapath/block_quantizer.hpp"
#include "hw/datapath/site.hpp"

namespace nibblecore::tb {

/// One block at one circuit of the online quantizer, as its buses showed it.
struct QuantizedSample {
  hw::QuantizerCircuit circuit = hw::QuantizerCircuit::kA;
  int block = 0;                          ///< elements
  std::array<uint32_t, 64> magnitudes{};  ///< FP32 bits of the inputs, signs apart
  std::array<uint32_t, 64> scaled{};      ///< HiF4, NVFP4: what the element rounders take in
  std::array<uint8_t, 64> codes{};
  std::array<uint32_t, 24> micro_products{};  ///< HiF4: of 8 eights, then of 16 quads
  uint32_t maximum = 0;
  uint8_t scale = 0;
  uint32_t level2 = 0;
  uint32_t level3 = 0;

  /// HiF4: the sum of both micro-exponents of element i.
  int micro_exponent(int i) const {
    return static_cast<int>(((level2 >> (i / 8)) & 1) + ((level3 >> (i / 4)) & 1));
  }
};

}  // namespace nibblecore::tb
