// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/code_expander.hpp"

#include <array>
#include <cstring>

#include <immintrin.h>

#include "model/formats/e2m1.hpp"
#include "model/formats/s1p2.hpp"

namespace nibblecore {
namespace {

/// The two elements behind every byte of codes, the even one first.
using PairTable = std::array<std::array<int8_t, 2>, 256>;

template <class Element>
PairTable make_pairs(const Element& element) {
  PairTable pairs{};
  for (uint32_t byte = 0; byte < pairs.size(); ++byte) {
    pairs[byte] = {static_cast<int8_t>(element(byte & 0xF)),
                   static_cast<int8_t>(element(byte >> 4))};
  }
  return pairs;
}

const PairTable& doubled_pairs() {
  static const PairTable pairs = make_pairs([](uint32_t code) { return kE2m1Doubled[code]; });
  return pairs;
}

/// Quarters of S1P2, shifted by 0, 1 and 2.
const std::array<PairTable, 3>& quarter_pairs() {
  static const std::array<PairTable, 3> tables = [] {
    std::array<PairTable, 3> shifted{};
    for (int shift = 0; shift < 3; ++shift) {
      shifted[static_cast<size_t>(shift)] =
          make_pairs([shift](uint32_t code) { return s1p2_quarters(code) * (1 << shift); });
    }
    return shifted;
  }();
  return tables;
}

void write_pair(const PairTable& pairs, uint8_t byte, uint8_t bias, uint8_t* elements) {
  elements[0] = static_cast<uint8_t>(pairs[byte][0] + bias);
  elements[1] = static_cast<uint8_t>(pairs[byte][1] + bias);
}

void expand_e2m1(const uint8_t* codes, int length, uint8_t bias, uint8_t* elements) {
  const PairTable& pairs = doubled_pairs();
  for (int i = 0; i < length; i += 2) {
    write_pair(pairs, codes[i / 2], bias, elements + i);
  }
}

/// Sixteen elements of eight bytes at a time.
[[gnu::target("ssse3")]] void expand_e2m1_by_shuffle(const uint8_t* codes, int length, uint8_t bias,
                                                     uint8_t* elements) {
  const __m128i table =
      _mm_add_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kE2m1Doubled.data())),
                   _mm_set1_epi8(static_cast<char>(bias)));
  const __m128i nibble = _mm_set1_epi8(0xF);
  for (int i = 0; i < length; i += 16) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes + i / 2));
    const __m128i low = _mm_and_si128(bytes, nibble);
    const __m128i high = _mm_and_si128(_mm_srli_epi16(bytes, 4), nibble);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(elements + i),
                     _mm_shuffle_epi8(table, _mm_unpacklo_epi8(low, high)));
  }
}

void expand_hif4(const uint8_t* codes, const uint8_t* scale, uint8_t bias, uint8_t* elements) {
  const std::array<PairTable, 3>& tables = quarter_pairs();
  const int level_3 = scale[2] | (scale[3] << 8);
  for (int group = 0; group < 16; ++group) {
    const int shift = ((scale[1] >> (group / 2)) & 1) + ((level_3 >> group) & 1);
    const PairTable& pairs = tables[static_cast<size_t>(shift)];
    write_pair(pairs, codes[2 * group], bias, elements + 4 * group);
    write_pair(pairs, codes[2 * group + 1], bias, elements + 4 * group + 2);
  }
}

static_assert(sizeof(kE2m1Doubled) == 16, "one shuffle decodes E2M1");

}  // namespace

int largest_element(ElementKind kind) { return kind == ElementKind::kS1p2 ? 28 : 12; }

CodeExpander::CodeExpander(const BlockFormat& format, ElementForm form, EmulatorTarget target)
    : length_(format.block),
      is_hif4_(format.element == ElementKind::kS1p2),
      has_shuffle_(target != EmulatorTarget::kPortable),
      bias_(static_cast<uint8_t>(form == ElementForm::kBiased ? largest_element(format.element)
                                                              : 0)) {}

void CodeExpander::expand(const uint8_t* codes, const uint8_t* scale, uint8_t* elements) const {
  if (is_hif4_) {
    expand_hif4(codes, scale, bias_, elements);
  } else if (has_shuffle_) {
    expand_e2m1_by_shuffle(codes, length_, bias_, elements);
  } else {
    expand_e2m1(codes, length_, bias_, elements);
  }
}

}  // namespace nibblecore
