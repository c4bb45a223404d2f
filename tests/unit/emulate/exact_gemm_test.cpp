// SPDX-License-Identifier: Apache-2.0
// Policy `exact` on every target against the golden reference.
#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "tests/unit/emulate/on_every_target.hpp"
#include "tests/unit/emulate/policy_gemms.hpp"

namespace nibblecore::test {
namespace {

constexpr Accumulation kPolicy = Accumulation::kExact;

TEST(ExactGemm, EqualsTheReferenceUnderEveryLawOfScales) {
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

// A residual, its alpha and the factors of macro blocks enter the one sum exactly.
TEST(ExactGemm, EqualsTheReferenceWithCorrections) {
  std::mt19937 random(2);
  for (const BlockFormat& format : formats_of(kPolicy)) {
    SCOPED_TRACE(describe(format));
    for (const NamedLaw& law : scale_laws(format.scale, random)) {
      SCOPED_TRACE(law.name);
      const PackedMatrix a = mixed_matrix(format, 5, 290, random, law.code);
      const PackedMatrix b = mixed_matrix(format, 34, 290, random, law.code);
      const PackedMatrix of_a = mixed_matrix(format, 5, 290, random, law.code);
      const std::vector<uint32_t> starts = mixed_starts(5, 34, random);
      const MacroScales a_macro = random_macro_scales(a, 128, random);
      const MacroScales b_macro = random_macro_scales(b, 128, random);
      const ResidualOperand residual{of_a, 64};
      GemmCorrections corrections;
      if (format.scale != ScaleKind::kUe4m3) {
        corrections.a_macro = &a_macro;
        expect_reference(a, b, kPolicy, starts, corrections);
        corrections.b_macro = &b_macro;
      }
      for (const float alpha : {0.1F, -1e-40F, 3e38F, 0.0F}) {
        corrections.residual = &residual;
        corrections.residual_alpha = alpha;
        expect_reference(a, b, kPolicy, starts, corrections);
      }
      GemmCorrections alone;
      alone.residual = &residual;
      expect_reference(a, b, kPolicy, starts, alone);
    }
  }
}

// More blocks than one FP64 sum holds exactly, in several steps and panels.
TEST(ExactGemm, EqualsTheReferenceOverALongK) {
  std::mt19937 random(3);
  for (const BlockFormat& format : formats_of(kPolicy)) {
    SCOPED_TRACE(describe(format));
    const std::vector<NamedLaw> laws = scale_laws(format.scale, random);
    for (const size_t law : {size_t{1}, size_t{2}}) {
      const PackedMatrix a = mixed_matrix(format, 50, 2500, random, laws[law].code);
      const PackedMatrix b = mixed_matrix(format, 3, 2500, random, laws[law].code);
      expect_reference(a, b, kPolicy, mixed_starts(50, 3, random));
    }
  }
}

// 2^60 + 1 - 2^60 - 2^-60: nothing is lost on the way.
TEST(ExactGemm, CancelsExactly) {
  PackedMatrix a = make_packed_matrix(kMxfp4, 1, 128);
  PackedMatrix b = make_packed_matrix(kMxfp4, 1, 128);
  for (int64_t block = 0; block < 4; ++block) {
    set_packed_code(a.row_codes(0), 32 * block, block < 2 ? 2 : 8 | 2);
    set_packed_code(b.row_codes(0), 32 * block, 2);
  }
  a.scales = {127 + 60, 127, 127 + 60, 127 - 60};
  b.scales = {127, 127, 127, 127};
  EXPECT_EQ(emulate_on_every_target(a, b, kPolicy, {}, 1).at(0), float_bits(1.0F));
  const std::vector<uint32_t> minus_one{float_bits(-1.0F)};
  EXPECT_EQ(emulate_on_every_target(a, b, kPolicy, minus_one, 1).at(0), float_bits(-0x1p-60F));
}

}  // namespace
}  // namespace nibblecore::test
