// SPDX-License-Identifier: Apache-2.0
// The worked example of macro blocks and of a second accumulator in docs/numerics.md: every figure
// is computed, then looked for on the page.
#include <bitset>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/fp16.hpp"
#include "model/formats/rounding.hpp"
#include "model/reference/exact_operand.hpp"
#include "model/reference/exact_sum.hpp"
#include "model/reference/gemm.hpp"
#include "tests/unit/reference/numerics_page.hpp"
#include "tests/unit/reference/packed_rows.hpp"

namespace nibblecore {
namespace {

std::string hex(int64_t value) {
  std::ostringstream digits;
  digits << "0x" << std::hex << std::uppercase << value;
  return digits.str();
}

std::string text(const ExactTerm& term) {
  return hex(term.significand) + " * 2^" + std::to_string(term.exponent);
}

ExactTerm negated(const ExactTerm& term) { return {-term.significand, term.exponent}; }

/// Without the zeros at the end of its significand.
ExactTerm reduced(ExactTerm term) {
  while (term.significand % 2 == 0) {
    term = {term.significand / 2, term.exponent + 1};
  }
  return term;
}

ExactTerm product(const ExactTerm& x, const ExactTerm& y) {
  return {x.significand * y.significand, x.exponent + y.exponent};
}

void expect_on_page(const std::string& figure) {
  EXPECT_THAT(numerics_page(), testing::HasSubstr(figure));
}

/// The FP16 number nearest to the reciprocal of 1 + mantissa / 256.
uint32_t factor_code(int mantissa) {
  return round_magnitude(kFp16Format, unrounded(256.0 / (256 + mantissa)), Rounding::kNearestEven,
                         Overflow::kInfinity);
}

MacroScales macro_scales(int mantissa) {
  return {128, {static_cast<float>(decode_double(kFp16Format, factor_code(mantissa)))}};
}

ExactTerm factor_of(const MacroScales& macro) {
  return reduced(exact_term(float_bits(macro.factors.front())));
}

// The codes are those of the page's MXFP4 walk and of its residual, whose tests compute them.
class MacroExample : public testing::Test {
 protected:
  MacroExample() {
    corrections.a_macro = &a_macro;
    corrections.b_macro = &b_macro;
  }

  uint32_t result(uint32_t c) const {
    uint32_t d = 0;
    reference_gemm(a, b, Accumulation::kFp32Rne, &c, &d, 1, corrections);
    return d;
  }

  const PackedMatrix a = packed_row(kMxfp4, "C5230908A4D120490C85122C9185B390", "80");
  const PackedMatrix b = packed_row(kMxfp4, "A7044D68C6212E94E396C5205CA6F003", "79");
  const PackedMatrix kept = packed_row(kMxfp4, "E400400B000000000000000000000000", "7D");
  const MacroScales a_macro = macro_scales(73);
  const MacroScales b_macro = macro_scales(150);
  const ExactTerm factor = product(factor_of(a_macro), factor_of(b_macro));
  GemmCorrections corrections;
};

TEST_F(MacroExample, Factors) {
  EXPECT_EQ(256 + 73, 329);
  EXPECT_EQ(256 + 150, 406);
  expect_on_page("FP16(256 / 329) = " + hex(factor_code(73)) + " = " + text(factor_of(a_macro)));
  expect_on_page("FP16(256 / 406) = " + hex(factor_code(150)) + " = " + text(factor_of(b_macro)));
  expect_on_page("f_a * f_b     " + text(factor));
}

TEST_F(MacroExample, Epilogues) {
  const ExactTerm tile = block_dot(decode_row(a, 0), decode_row(b, 0), 0, 32);
  const ExactTerm scaled = product(tile, factor);
  expect_on_page("T             " + text(tile));
  expect_on_page("product       " + text(scaled) + ", " +
                 std::to_string(bit_width(static_cast<uint64_t>(scaled.significand))) + " bits");
  const uint32_t start = 0xBF700000;
  expect_on_page("onto C = " + hex(start) + " = -" + text(negated(exact_term(start))));

  const int64_t start_in_units = exact_term(start).significand * 16;  // of the product
  EXPECT_EQ(exact_term(start).exponent - 4, scaled.exponent);
  const uint32_t fused = result(start);
  expect_on_page("fused         " + hex(scaled.significand) + " - " + hex(-start_in_units) + " = " +
                 hex(scaled.significand + start_in_units) + ", exactly: " + hex(fused));
  EXPECT_EQ(reduced(exact_term(fused)).significand, scaled.significand + start_in_units);

  corrections.epilogue = MacroEpilogue::kSeparate;
  const ExactTerm rounded = exact_term(round_sum(&scaled, 1));
  const int64_t sum = rounded.significand + exact_term(start).significand;
  expect_on_page("separate      RNE(product) = " + text(rounded) + ", " + hex(rounded.significand) +
                 " - " + hex(-exact_term(start).significand) + " = " + hex(sum) + ": " +
                 hex(result(start)));
  const uint32_t one = float_bits(1.0F);
  const uint32_t onto_one = result(one);
  corrections.epilogue = MacroEpilogue::kFused;
  EXPECT_EQ(result(one), onto_one);
  expect_on_page("Onto C = 1 both give " + hex(onto_one));
}

TEST_F(MacroExample, SecondAccumulator) {
  const ExactTerm units = block_dot(decode_row(kept, 0), decode_row(b, 0), 0, 32);
  expect_on_page("12 * 4 + 2 * 8 + 4 * 4 + 0 * 3 = " + std::to_string(units.significand) +
                 " units of 2^" + std::to_string(units.exponent));
  const ExactTerm scaled = product(units, factor);
  const uint32_t second = round_sum(&scaled, 1);
  expect_on_page(text(reduced(exact_term(second))) + " = " + hex(second) +
                 ". With alpha = 0.75 = 3 * 2^-2");

  const uint32_t one = float_bits(1.0F);
  const ExactTerm first = exact_term(result(one));
  const ExactTerm times_alpha = product(reduced(exact_term(second)), {3, -2});
  expect_on_page("accumulator   " + text(first));
  expect_on_page("alpha times   " + text(times_alpha));
  EXPECT_EQ(first.exponent - times_alpha.exponent, 6);
  const int64_t sum = first.significand * 64 + times_alpha.significand;
  expect_on_page("sum           " + hex(first.significand * 64) + " + " +
                 hex(times_alpha.significand) + " = " + hex(sum) + ", last bit 2^" +
                 std::to_string(times_alpha.exponent) + ", " +
                 std::to_string(bit_width(static_cast<uint64_t>(sum))) + " bits");
  expect_on_page("kept|dropped  " + hex(sum >> 6) + " | " +
                 std::bitset<6>(static_cast<uint64_t>(sum)).to_string());

  const ResidualOperand residual{kept, 64};
  corrections.residual = &residual;
  corrections.residual_alpha = 0.75F;
  const uint32_t d = result(one);
  EXPECT_EQ(exact_term(d).significand, (sum >> 6) + 1);
  expect_on_page("result        " + text(exact_term(d)) + " = " + hex(d));
}

}  // namespace
}  // namespace nibblecore
