// SPDX-License-Identifier: Apache-2.0
// The worked example of a residual in docs/numerics.md: every row is computed, then compared with
// the page.
#include <array>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/formats/dequantize.hpp"
#include "model/quantize/quantize.hpp"
#include "model/quantize/residual.hpp"
#include "model/quantize/two_of_four.hpp"
#include "tests/unit/reference/numerics_page.hpp"

namespace nibblecore {
namespace {

/// The block A of the page's MXFP4 walk.
constexpr std::array<float, 32> kActivations{
    6.5F,  -5,  3,      1.5F,    -0.75F, 0.5F,    -0.375F, 0.0625F, 4,       -2.5F, 1,
    -6,    .25, 2.25F,  -1.25F,  3.5F,   -3.5F,   0,       5.5F,    -0.5F,   1.75F, 0.875F,
    -4.5F, 2,   0.625F, -1.125F, 6.25F,  -0.125F, 2.75F,   -3.25F,  0.3125F, -1};

/// "| label | four entries | four entries |" of the first eight of some values.
template <typename Entry>
std::string table_row(const std::string& label, const Entry& entry) {
  std::ostringstream text;
  text << std::uppercase << "| " << label << " |";
  for (int i = 0; i < 8; ++i) {
    text << ' ' << std::hex << entry(i) << (i % 4 == 3 ? " |" : "");
  }
  return text.str();
}

std::string codes_row(const std::string& label, const PackedMatrix& matrix) {
  return table_row(label, [&](int i) { return int{packed_code(matrix.codes.data(), i)}; });
}

void expect_on_page(const std::string& row) {
  EXPECT_THAT(numerics_page(), testing::HasSubstr(row + "\n"));
}

TEST(ResidualExample, RowsOfThePage) {
  const MatrixView view = row_major_view(kActivations.data(), 1, 32);
  const PackedMatrix main = quantize(view, preset(kMxfp4, "rceil"), 1);
  const PackedMatrix residual = quantize_residual(view, main, preset(kMxfp4, "rceil"), 1);
  const TwoOfFour kept = select_two_of_four(residual, 1);
  std::array<float, 32> decoded{};
  dequantize(main, decoded.data());

  EXPECT_EQ(residual.scales.front(), 125);
  expect_on_page(table_row("a", [&](int i) { return kActivations[static_cast<size_t>(i)]; }));
  expect_on_page(table_row("Q(a)", [&](int i) { return decoded[static_cast<size_t>(i)]; }));
  expect_on_page(table_row("d", [&](int i) {
    return kActivations[static_cast<size_t>(i)] - decoded[static_cast<size_t>(i)];
  }));
  expect_on_page(codes_row("codes under 2^-2", residual));
  expect_on_page(codes_row("codes kept", kept.selected));

  std::ostringstream positions;
  std::ostringstream metadata;
  for (int quad = 0; quad < 2; ++quad) {
    const int nibble = packed_code(kept.metadata.data(), quad);
    positions << " | " << (nibble & 3) << ' ' << (nibble >> 2);
    metadata << " | " << nibble;
  }
  expect_on_page("| positions kept" + positions.str() + " |");
  expect_on_page("| metadata" + metadata.str() + " |");
  std::ostringstream byte;
  byte << "0x" << std::hex << int{kept.metadata.front()};
  EXPECT_THAT(numerics_page(), testing::HasSubstr("together the byte " + byte.str()));
}

}  // namespace
}  // namespace nibblecore
