// SPDX-License-Identifier: Apache-2.0
#include "model/formats/hif4_unit.hpp"

#include <algorithm>
#include <cmath>

#include "model/common/bits.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/fp32.hpp"
#include "model/formats/packed_matrix.hpp"
#include "model/formats/s1p2.hpp"

namespace nibblecore {

std::array<uint8_t, kHif4ScaleBytes> pack_hif4_scale(const Hif4Unit& unit) {
  return {unit.e6m2, unit.e1_8, static_cast<uint8_t>(unit.e1_16 & 0xFF),
          static_cast<uint8_t>(unit.e1_16 >> 8)};
}

void unpack_hif4_scale(const uint8_t* bytes, Hif4Unit& unit) {
  unit.e6m2 = bytes[0];
  unit.e1_8 = bytes[1];
  unit.e1_16 = static_cast<uint16_t>(bytes[2] | (bytes[3] << 8));
}

std::array<uint8_t, kHif4UnitBytes> pack(const Hif4Unit& unit) {
  std::array<uint8_t, kHif4UnitBytes> bytes{};
  const auto scale = pack_hif4_scale(unit);
  std::copy(scale.begin(), scale.end(), bytes.begin());
  for (int i = 0; i < 64; ++i) {
    set_packed_code(bytes.data() + kHif4ScaleBytes, i, unit.codes[static_cast<size_t>(i)]);
  }
  return bytes;
}

Hif4Unit unpack_hif4(const std::array<uint8_t, kHif4UnitBytes>& bytes) {
  Hif4Unit unit;
  unpack_hif4_scale(bytes.data(), unit);
  for (int i = 0; i < 64; ++i) {
    unit.codes[static_cast<size_t>(i)] = packed_code(bytes.data() + kHif4ScaleBytes, i);
  }
  return unit;
}

std::array<float, 64> decode(const Hif4Unit& unit) {
  std::array<float, 64> values{};
  const ExactNumber scale = decode(kE6m2Format, unit.e6m2);
  if (scale.is_nan) {
    values.fill(bits_float(kFp32Nan));
    return values;
  }
  // A power of two times at most 49 * 4: exact.
  const float quarter = std::ldexp(static_cast<float>(scale.significand), scale.exponent - 2);
  for (int i = 0; i < 64; ++i) {
    const uint8_t code = unit.codes[static_cast<size_t>(i)];
    const auto steps = static_cast<float>((code & 7) << unit.micro_exponent(i));
    const float magnitude = steps * quarter;
    values[static_cast<size_t>(i)] = (code & 8) != 0 ? -magnitude : magnitude;
  }
  return values;
}

}  // namespace nibblecore
