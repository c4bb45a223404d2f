// SPDX-License-Identifier: Apache-2.0
// The policies that truncate, on every target against the golden reference: results, and what
// truncation took.
#include <array>

#include <gtest/gtest.h>

#include "tests/unit/emulate/policy_gemms.hpp"

namespace nibblecore::test {
namespace {

constexpr std::array kPolicies{Accumulation::kBlackwell, Accumulation::kBlackwellV1,
                               Accumulation::kBlackwellMxf8f6f4};

struct Shape {
  int64_t m;
  int64_t n;
  int64_t k;
};

class TruncatingGemm : public testing::TestWithParam<Accumulation> {};

TEST_P(TruncatingGemm, EqualsTheReferenceUnderEveryLawOfScales) {
  std::mt19937 random(1);
  for (const BlockFormat& format : formats_of(GetParam())) {
    SCOPED_TRACE(describe(format));
    for (const NamedLaw& law : scale_laws(format.scale, random)) {
      SCOPED_TRACE(law.name);
      for (const Shape& shape : {Shape{7, 33, 200}, Shape{50, 5, 97}, Shape{1, 1, 17}}) {
        const PackedMatrix a = mixed_matrix(format, shape.m, shape.k, random, law.code);
        const PackedMatrix b = mixed_matrix(format, shape.n, shape.k, random, law.code);
        expect_reference(a, b, GetParam(), mixed_starts(shape.m, shape.n, random));
      }
    }
  }
}

// The two operands' scales spread differently, and no C.
TEST_P(TruncatingGemm, EqualsTheReferenceUnderMixedLaws) {
  std::mt19937 random(2);
  for (const BlockFormat& format : formats_of(GetParam())) {
    SCOPED_TRACE(describe(format));
    const std::vector<NamedLaw> laws = scale_laws(format.scale, random);
    for (size_t i = 0; i < laws.size(); ++i) {
      const NamedLaw& other = laws[(i + 1 + random() % (laws.size() - 1)) % laws.size()];
      SCOPED_TRACE(laws[i].name + ", " + other.name);
      const PackedMatrix a = mixed_matrix(format, 9, 290, random, laws[i].code);
      const PackedMatrix b = mixed_matrix(format, 35, 290, random, other.code);
      expect_reference(a, b, GetParam(), {});
    }
  }
}

TEST_P(TruncatingGemm, EqualsTheReferenceOverSeveralPanelsAndSteps) {
  std::mt19937 random(3);
  for (const BlockFormat& format : formats_of(GetParam())) {
    SCOPED_TRACE(describe(format));
    const std::vector<NamedLaw> laws = scale_laws(format.scale, random);
    const PackedMatrix a = mixed_matrix(format, 61, 1100, random, laws[0].code);
    const PackedMatrix b = mixed_matrix(format, 40, 1100, random, laws[1].code);
    expect_reference(a, b, GetParam(), mixed_starts(61, 40, random));
  }
}

TEST_P(TruncatingGemm, EqualsTheReferenceWithMacroScales) {
  std::mt19937 random(4);
  for (const BlockFormat& format : formats_of(GetParam())) {
    if (format.scale == ScaleKind::kUe4m3) {
      continue;  // such a format takes no macro scales
    }
    SCOPED_TRACE(describe(format));
    for (const NamedLaw& law : scale_laws(format.scale, random)) {
      SCOPED_TRACE(law.name);
      const PackedMatrix a = mixed_matrix(format, 6, 290, random, law.code);
      const PackedMatrix b = mixed_matrix(format, 34, 290, random, law.code);
      const MacroScales of_a = random_macro_scales(a, 128, random);
      const MacroScales of_b = random_macro_scales(b, 128, random);
      GemmCorrections corrections;
      corrections.a_macro = &of_a;
      corrections.b_macro = &of_b;
      expect_reference(a, b, GetParam(), mixed_starts(6, 34, random), corrections);
      corrections.b_macro = nullptr;
      corrections.epilogue = MacroEpilogue::kSeparate;
      expect_reference(a, b, GetParam(), {}, corrections);
    }
  }
}

TEST_P(TruncatingGemm, WithoutKPassesCOn) {
  for (const BlockFormat& format : formats_of(GetParam())) {
    std::mt19937 random(5);
    const PackedMatrix a = make_packed_matrix(format, 3, 0);
    const PackedMatrix b = make_packed_matrix(format, 40, 0);
    expect_reference(a, b, GetParam(), mixed_starts(3, 40, random));
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, TruncatingGemm, testing::ValuesIn(kPolicies),
                         [](const testing::TestParamInfo<Accumulation>& policy) {
                           std::string name(name_of(policy.param));
                           for (char& character : name) {
                             character = character == '-' ? '_' : character;
                           }
                           return name;
                         });

}  // namespace
}  // namespace nibblecore::test
