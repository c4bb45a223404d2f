// SPDX-License-Identifier: Apache-2.0
#include "model/machine/rate.hpp"

#include <limits>
#include <numeric>

#include "model/common/error.hpp"

namespace nibblecore {

int64_t Rate::duration(int64_t count) const {
  int64_t product = 0;
  if (!__builtin_mul_overflow(count, cycles, &product) &&
      product <= std::numeric_limits<int64_t>::max() - (bytes - 1)) {
    return (product + bytes - 1) / bytes;
  }
  // 128 bits: a size of 2^40 bytes times a clock of 2^31 hertz passes 64.
  __extension__ using Wide = __int128;
  const Wide result = (Wide{count} * cycles + bytes - 1) / bytes;
  if (result > std::numeric_limits<int64_t>::max()) {
    throw InputError("transfer", "its cycles leave 64 bits");
  }
  return static_cast<int64_t>(result);
}

Rate make_rate(int64_t bytes, int64_t cycles) {
  if (bytes <= 0 || cycles <= 0) {
    throw InputError("rate", "bytes and cycles must be positive");
  }
  const int64_t divisor = std::gcd(bytes, cycles);
  return {bytes / divisor, cycles / divisor};
}

}  // namespace nibblecore
