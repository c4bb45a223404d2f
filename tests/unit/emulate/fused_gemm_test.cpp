// SPDX-License-Identifier: Apache-2.0
// Policy `fp32-fused` on every target against the golden reference.
#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "tests/unit/emulate/on_every_target.hpp"
#include "tests/unit/emulate/policy_gemms.hpp"

namespace nibblecore::test {
namespace {

constexpr Accumulation kPolicy = Accumulation::kFp32Fused;

TEST(FusedGemm, EqualsTheReferenceUnderEveryLawOfScales) {
  std::mt19937 random(1);
  for (const BlockFormat& format : formats_of(kPolicy)) {
    SCOPED_TRACE(describe(format));
    for (const NamedLaw& law : scale_laws(format.scale, random)) {
      SCOPED_TRACE(law.name);
      const PackedMatrix a = mixed_matrix(format, 50, 97, random, law.code);
      const PackedMatrix b = mixed_matrix(format, 5, 97, random, law.code);
      expect_reference(a, b, kPolicy, mixed_starts(50, 5, random));
      const PackedMatrix c = mixed_matrix(format, 7, 290, random, law.code);
      const PackedMatrix d = mixed_matrix(format, 35, 290, random, law.code);
      expect_reference(c, d, kPolicy, {});
    }
  }
}

// A granule of 64 and one that ends within a step's 64 only at the end of K; accumulators of the
// residual's own; macro blocks.
TEST(FusedGemm, EqualsTheReferenceWithCorrections) {
  std::mt19937 random(2);
  for (const BlockFormat& format : formats_of(kPolicy)) {
    SCOPED_TRACE(describe(format));
    const std::vector<NamedLaw> laws = scale_laws(format.scale, random);
    for (const size_t law : {size_t{0}, size_t{1}, size_t{2}, size_t{8}}) {
      SCOPED_TRACE(laws[law].name);
      const PackedMatrix a = mixed_matrix(format, 6, 290, random, laws[law].code);
      const PackedMatrix b = mixed_matrix(format, 34, 290, random, laws[law].code);
      const PackedMatrix of_a = mixed_matrix(format, 6, 290, random, laws[law].code);
      const std::vector<uint32_t> starts = mixed_starts(6, 34, random);
      const MacroScales macro = random_macro_scales(a, 128, random);
      GemmCorrections corrections;
      for (const int64_t granule : {64, 290}) {
        const ResidualOperand residual{of_a, granule};
        corrections.residual = &residual;
        expect_reference(a, b, kPolicy, starts, corrections);
        if (format.scale != ScaleKind::kUe4m3) {
          GemmCorrections with_macro = corrections;
          with_macro.a_macro = &macro;
          expect_reference(a, b, kPolicy, starts, with_macro);
        }
        corrections.residual_alpha = -0.3F;
        expect_reference(a, b, kPolicy, starts, corrections);
        corrections.residual_alpha.reset();
      }
    }
  }
}

// 1 + 2^-24 + 2^-24: blocks of one step meet before they meet the accumulator, and the sum is
// rounded once.
TEST(FusedGemm, RoundsAStepOnce) {
  PackedMatrix a = make_packed_matrix(kMxfp4, 1, 64);
  PackedMatrix b = make_packed_matrix(kMxfp4, 1, 64);
  for (const int64_t i : {0, 32}) {
    set_packed_code(a.row_codes(0), i, 2);
    set_packed_code(b.row_codes(0), i, 2);
  }
  a.scales = {127 - 24, 127 - 24};
  b.scales = {127, 127};
  const std::vector<uint32_t> one{float_bits(1.0F)};
  EXPECT_EQ(emulate_on_every_target(a, b, kPolicy, one, 1).at(0), 0x3F800001U);
  EXPECT_EQ(emulate_on_every_target(a, b, Accumulation::kFp32Rne, one, 1).at(0), 0x3F800000U);
}

}  // namespace
}  // namespace nibblecore::test
