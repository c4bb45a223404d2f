// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/block_scale.hpp"

#include <cstddef>

#include "model/formats/e6m2.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/hif4_unit.hpp"
#include "model/formats/ue4m3.hpp"

namespace nibblecore {
namespace {

constexpr double kLargestE2m1 = 6;
constexpr double kLargestS1p2 = 1.75;

BlockScale hif4_scale(const PackedMatrix& packed, int64_t row, int64_t block) {
  Hif4Unit unit;
  unpack_hif4_scale(packed.row_scales(row) + block * kHif4ScaleBytes, unit);
  BlockScale result;
  result.scale = decode_double(kE6m2Format, unit.e6m2) * double{packed.tensor_scale};
  for (int i = 0; i < kLongestBlock; ++i) {
    result.limits[static_cast<size_t>(i)] =
        kLargestS1p2 * result.scale * static_cast<double>(1 << unit.micro_exponent(i));
  }
  return result;
}

}  // namespace

BlockScale block_scale(const PackedMatrix& packed, int64_t row, int64_t block) {
  if (packed.format.scale == ScaleKind::kHif4) {
    return hif4_scale(packed, row, block);
  }
  const NumberFormat& format = packed.format.scale == ScaleKind::kE8m0 ? kE8m0Format : kUe4m3Format;
  BlockScale result;
  result.scale = decode_double(format, packed.row_scales(row)[block]) * double{packed.tensor_scale};
  result.limits.fill(kLargestE2m1 * result.scale);
  return result;
}

}  // namespace nibblecore
