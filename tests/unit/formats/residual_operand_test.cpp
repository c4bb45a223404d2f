// SPDX-License-Identifier: Apache-2.0
#include "model/formats/residual_operand.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

TEST(ResidualOperand, GranulesAreMultiplesOf64OrTheWholeRow) {
  const PackedMatrix a = make_packed_matrix(kMxfp4, 2, 200);
  const auto check = [&](int64_t granule) { require_residual_of({a, granule}, a); };
  for (const int64_t granule : {int64_t{64}, int64_t{128}, int64_t{192}, int64_t{200}, int64_t{201},
                                int64_t{256}, std::numeric_limits<int64_t>::max()}) {
    EXPECT_NO_THROW(check(granule)) << granule;
  }
  for (const int64_t granule :
       {int64_t{0}, int64_t{-64}, int64_t{1}, int64_t{32}, int64_t{63}, int64_t{65}, int64_t{96},
        int64_t{199}, std::numeric_limits<int64_t>::min()}) {
    EXPECT_THROW(check(granule), InputError) << granule;
  }
}

TEST(ResidualOperand, WithoutKAnyWholeRowWillDo) {
  const PackedMatrix a = make_packed_matrix(kHif4, 2, 0);
  EXPECT_NO_THROW(require_residual_of({a, 0}, a));
  EXPECT_NO_THROW(require_residual_of({a, 64}, a));
  EXPECT_THROW(require_residual_of({a, -1}, a), InputError);
}

TEST(ResidualOperand, FormatAndSizeMustBeTheOperands) {
  const PackedMatrix a = make_packed_matrix(kMxfp4, 2, 128);
  const PackedMatrix others[] = {
      make_packed_matrix(kMxfp4, 3, 128), make_packed_matrix(kMxfp4, 2, 127),
      make_packed_matrix(kHif4, 2, 128),
      make_packed_matrix(make_block_format("mxfp4", 16, "ue8m0"), 2, 128),
      make_packed_matrix(make_block_format("mxfp4", 32, "ue4m3"), 2, 128)};
  for (const PackedMatrix& other : others) {
    EXPECT_THROW(require_residual_of({other, 64}, a), InputError) << other.format.name;
  }
}

TEST(ResidualOperand, TensorScaleMustBeTheOperandsBitForBit) {
  PackedMatrix a = make_packed_matrix(kNvfp4, 2, 128);
  PackedMatrix residual = a;
  a.tensor_scale = residual.tensor_scale = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NO_THROW(require_residual_of({residual, 64}, a));
  a.tensor_scale = 0.5F;
  residual.tensor_scale = 0.50000006F;
  EXPECT_THROW(require_residual_of({residual, 64}, a), InputError);
}

}  // namespace
}  // namespace nibblecore
