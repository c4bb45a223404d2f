// SPDX-License-Identifier: Apache-2.0
#include "model/formats/number_format.hpp"

#include <cmath>
#include <limits>

namespace nibblecore {

double decode_double(const NumberFormat& format, uint32_t code) {
  const ExactNumber number = decode(format, code);
  double magnitude = 0;
  if (number.is_nan) {
    magnitude = std::numeric_limits<double>::quiet_NaN();
  } else if (number.is_infinite) {
    magnitude = std::numeric_limits<double>::infinity();
  } else {
    magnitude = std::ldexp(static_cast<double>(number.significand), number.exponent);
  }
  return number.negative ? -magnitude : magnitude;
}

}  // namespace nibblecore
