// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/code_expander.hpp"

#include <array>

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
  for (std::ptrdiff_t i = 0; i < length; i += 2) {
    write_pair(pairs, codes[i / 2], bias, elements + i);
  }
}

/// The sixteen elements behind eight bytes.
[[gnu::target("ssse3"), gnu::always_inline]] inline __m128i shuffled(const uint8_t* codes,
                                                                     __m128i table) {
  const __m128i nibble = _mm_set1_epi8(0xF);
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes));
  const __m128i low = _mm_and_si128(bytes, nibble);
  const __m128i high = _mm_and_si128(_mm_srli_epi16(bytes, 4), nibble);
  return _mm_shuffle_epi8(table, _mm_unpacklo_epi8(low, high));
}

[[gnu::target("ssse3")]] void expand_e2m1_by_shuffle(const uint8_t* codes, int64_t blocks,
                                                     int length, uint8_t bias, uint8_t* elements,
                                                     std::ptrdiff_t stride) {
  const __m128i table =
      _mm_add_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kE2m1Doubled.data())),
                   _mm_set1_epi8(static_cast<char>(bias)));
  for (int64_t block = 0; block < blocks; ++block, elements += stride) {
    for (std::ptrdiff_t i = 0; i < length; i += 16, codes += 8) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(elements + i), shuffled(codes, table));
    }
  }
}

[[gnu::target("avx2")]] void expand_e2m1_by_32(const uint8_t* codes, int64_t blocks, int length,
                                               uint8_t bias, uint8_t* elements,
                                               std::ptrdiff_t stride) {
  const __m256i table = _mm256_broadcastsi128_si256(
      _mm_add_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kE2m1Doubled.data())),
                   _mm_set1_epi8(static_cast<char>(bias))));
  const __m256i nibble = _mm256_set1_epi8(0xF);
  for (int64_t block = 0; block < blocks; ++block, elements += stride) {
    for (std::ptrdiff_t i = 0; i < length; i += 32, codes += 16) {
      const __m256i bytes =
          _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(codes)));
      const __m256i pairs =
          _mm256_and_si256(_mm256_or_si256(bytes, _mm256_slli_epi16(bytes, 4)), nibble);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(elements + i),
                          _mm256_shuffle_epi8(table, pairs));
    }
  }
}

/// Bytes all ones where a bit of a number of `Bits` bits is set, each bit for its share of sixteen.
template <size_t Bits>
constexpr std::array<std::array<uint8_t, 16>, (size_t{1} << Bits)> make_masks() {
  std::array<std::array<uint8_t, 16>, (size_t{1} << Bits)> masks{};
  for (size_t bits = 0; bits < masks.size(); ++bits) {
    for (size_t i = 0; i < 16; ++i) {
      masks[bits][i] = (bits >> (i * Bits / 16)) % 2 == 1 ? 0xFF : 0;
    }
  }
  return masks;
}

[[gnu::target("ssse3")]] void expand_hif4_by_shuffle(const uint8_t* codes, const uint8_t* scales,
                                                     int64_t blocks, uint8_t bias,
                                                     uint8_t* elements, std::ptrdiff_t stride) {
  static constexpr auto eights = make_masks<2>();
  static constexpr auto fours = make_masks<4>();
  const __m128i table = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 0, -1, -2, -3, -4, -5, -6, -7);
  const __m128i biases = _mm_set1_epi8(static_cast<char>(bias));
  for (int64_t block = 0; block < blocks; ++block, elements += stride, scales += 4) {
    const int level_3 = scales[2] | (scales[3] << 8);
    for (std::ptrdiff_t part = 0; part < 4; ++part, codes += 8) {
      const auto& level_2_mask = eights[static_cast<size_t>((scales[1] >> (2 * part)) & 3)];
      const auto& level_3_mask = fours[static_cast<size_t>((level_3 >> (4 * part)) & 15)];
      const __m128i quarters = shuffled(codes, table);
      const __m128i once = _mm_add_epi8(
          quarters,
          _mm_and_si128(quarters,
                        _mm_loadu_si128(reinterpret_cast<const __m128i*>(level_2_mask.data()))));
      const __m128i twice = _mm_add_epi8(
          once, _mm_and_si128(
                    once, _mm_loadu_si128(reinterpret_cast<const __m128i*>(level_3_mask.data()))));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(elements + 16 * part),
                       _mm_add_epi8(twice, biases));
    }
  }
}

void expand_hif4(const uint8_t* codes, const uint8_t* scale, uint8_t bias, uint8_t* elements) {
  const std::array<PairTable, 3>& tables = quarter_pairs();
  const int level_3 = scale[2] | (scale[3] << 8);
  for (std::ptrdiff_t group = 0; group < 16; ++group) {
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

void CodeExpander::expand(const uint8_t* codes, const uint8_t* scales, int64_t blocks,
                          uint8_t* elements, std::ptrdiff_t stride) const {
  if (has_shuffle_ && is_hif4_) {
    expand_hif4_by_shuffle(codes, scales, blocks, bias_, elements, stride);
  } else if (has_shuffle_ && length_ >= 32) {
    expand_e2m1_by_32(codes, blocks, length_, bias_, elements, stride);
  } else if (has_shuffle_) {
    expand_e2m1_by_shuffle(codes, blocks, length_, bias_, elements, stride);
  } else {
    for (int64_t block = 0; block < blocks; ++block, elements += stride) {
      if (is_hif4_) {
        expand_hif4(codes, scales, bias_, elements);
      } else {
        expand_e2m1(codes, length_, bias_, elements);
      }
      codes += length_ / 2;
      scales += is_hif4_ ? 4 : 1;
    }
  }
}

}  // namespace nibblecore
