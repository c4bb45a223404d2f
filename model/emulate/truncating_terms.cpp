// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/truncating_terms.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "model/emulate/lane_dispatch.hpp"
#include "model/emulate/lane_vectors.hpp"

namespace nibblecore {
namespace {

constexpr int kQuad = 4;
constexpr int kGroup = 16;
constexpr int kQuads = kGroup / kQuad;

/// One group of 16 products of a row.
struct Group {
  std::array<int8_t, kGroup> a;
  const int8_t* b;  ///< [kQuads, kStripColumns, kQuad]
  bool marks_zeros;
  int32_t* sums;
  float* powers;
};

struct GroupKernel {
  template <int Width>
  [[gnu::always_inline]] static void run(const Group& group) {
    for (int64_t column = 0; column < kStripColumns; column += Width) {
      run_columns<Width>(group, column);
    }
  }

 private:
  /// Bytes are added in lanes of 16 bits, even and odd ones apart: no sum exceeds 16 * 144.
  template <int Width>
  [[gnu::always_inline]] static void run_columns(const Group& group, int64_t column) {
    using Vectors = LaneVectors<Width>;
    using Int = typename Vectors::Int;
    using Short = typename Vectors::Short;
    Short halves{};
    Int any{};
    for (int64_t quad = 0; quad < kQuads; ++quad) {
      const int8_t* a = group.a.data() + quad * kQuad;
      Int b;
      Vectors::load(group.b + (quad * kStripColumns + column) * kQuad, b);
      const Int even = Int{} + ((a[0] & 0xFFFF) | static_cast<int32_t>(uint32_t(a[2]) << 16));
      const Int odd = Int{} + ((a[1] & 0xFFFF) | static_cast<int32_t>(uint32_t(a[3]) << 16));
      halves += ((reinterpret_cast<Short>(b) << 8) >> 8) * reinterpret_cast<Short>(even);
      halves += (reinterpret_cast<Short>(b) >> 8) * reinterpret_cast<Short>(odd);
      any |= b & not_zero(a);
    }
    const Int pairs = reinterpret_cast<Int>(halves);
    const Int sums = (pairs >> 16) + ((pairs << 16) >> 16);
    const typename Vectors::Float one = typename Vectors::Float{} + 1.0F;
    Int powers = reinterpret_cast<Int>(one);
    if (group.marks_zeros) {
      powers = any == 0 ? Int{} : powers;
    }
    Vectors::store(sums, group.sums + column);
    Vectors::store(powers, group.powers + column);
  }

  /// A byte of ones for every element that is not zero.
  [[gnu::always_inline]] static int32_t not_zero(const int8_t* a) {
    uint32_t mask = 0;
    for (int i = 0; i < kQuad; ++i) {
      mask |= a[i] != 0 ? uint32_t{0xFF} << (8 * i) : 0;
    }
    return static_cast<int32_t>(mask);
  }
};

/// 2^floor(log2) of an element in halves, at least 1 as the exponent of a subnormal number is that
/// of the least normal one.
float element_power(int halves) {
  return halves == 0 ? 0.0F
                     : std::max(1.0F, std::exp2(std::floor(std::log2(std::abs(halves) / 2.0F))));
}

/// Of every element that E2M1 has, from -12 on.
const std::array<float, 25>& element_powers() {
  static const std::array<float, 25> powers = [] {
    std::array<float, 25> table{};
    int halves = -12;
    for (float& power : table) {
      power = element_power(halves++);
    }
    return table;
  }();
  return powers;
}

/// The low byte of a number, as a signed one.
int64_t signed_byte(int number) { return int64_t{(number & 0xFF) ^ 0x80} - 0x80; }

void make_single_terms(const TileBlocks& node, int64_t row, uint8_t a_zero,
                       TruncatingTerms& terms) {
  const std::array<float, 25>& powers = element_powers();
  const uint8_t* a = node.a + row * node.length;
  for (int64_t k = 0; k < node.length; ++k) {
    const int64_t element = signed_byte(a[k] - a_zero);
    const float power = powers.at(static_cast<size_t>(element + 12));
    const int8_t* b = node.b + k / kQuad * kStripColumns * kQuad + k % kQuad;
    const auto term = static_cast<size_t>(k);
    terms.block[term] = 0;
    for (int64_t column = 0; column < kStripColumns; ++column) {
      const int64_t other = signed_byte(b[column * kQuad]);
      const auto at = static_cast<size_t>(column);
      terms.sums[term][at] = static_cast<int32_t>(element * other);
      terms.powers[term][at] = power * powers[static_cast<size_t>(other + 12)];
    }
  }
  terms.count = node.length;
}

}  // namespace

void make_terms(const TruncatingRule& rule, const TileBlocks& node, int64_t row, uint8_t a_zero,
                EmulatorTarget target, TruncatingTerms& terms) {
  if (rule.group == 1) {
    return make_single_terms(node, row, a_zero, terms);
  }
  terms.count = 0;
  for (int64_t block = 0; block < node.blocks; ++block) {
    const uint8_t* a = node.a + (block * kPanelRows + row) * node.length;
    const int8_t* b = node.b + block * kStripColumns * node.length;
    for (int64_t first = 0; first < node.length; first += kGroup) {
      const auto term = static_cast<size_t>(terms.count++);
      terms.block[term] = static_cast<uint8_t>(block);
      Group group{{},
                  b + first * kStripColumns,
                  rule.zero_terms,
                  terms.sums[term].data(),
                  terms.powers[term].data()};
      for (int i = 0; i < kGroup; ++i) {
        group.a[static_cast<size_t>(i)] = static_cast<int8_t>(a[first + i] - a_zero);
      }
      LaneDispatch<GroupKernel>::run(target, group);
    }
  }
}

}  // namespace nibblecore
