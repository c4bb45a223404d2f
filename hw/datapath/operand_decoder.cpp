// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/operand_decoder.hpp"

#include <cstring>

#include "hw/datapath/element_decoder.hpp"
#include "hw/datapath/simd_dispatch.hpp"
#include "hw/datapath/width.hpp"

namespace nibblecore::hw {
namespace {

constexpr ptrdiff_t kUnit = 64;  // elements of a HiF4 unit
constexpr ptrdiff_t kWord = 4;   // codes of a word; also what shares a level-3 micro-exponent

/// Lane groups follow one another without a gap, so that a kernel need not know of them.
struct Buses {
  ptrdiff_t words;
  const Int16Lanes* codes;   ///< [words], four a lane
  const Int16Lanes* level2;  ///< [words / 16]
  const Int16Lanes* level3;  ///< [words / 16]
  Int16Lanes* elements;      ///< [words * 4]
  Int16Lanes* level2_factors;
};

/// Kernels return the OR of all elements' magnitudes.
struct DecodeE2m1 {
  [[gnu::always_inline]] static uint32_t run(const Buses& buses) {
    Int16Lanes united{};
    for (ptrdiff_t word = 0; word < buses.words; ++word) {
      Int16Lanes codes = buses.codes[word];
      for (ptrdiff_t i = 0; i < kWord; ++i, codes >>= 4) {
        Int16Lanes element;
        decode_e2m1_doubled<Int16Lanes>(codes & 15, element);
        unite_magnitudes(element, united);
        buses.elements[word * kWord + i] = element;
      }
    }
    return united_lanes(united);
  }
};

struct DecodeS1p2 {
  [[gnu::always_inline]] static uint32_t run(const Buses& buses) {
    constexpr int kWords = kUnit / kWord;
    constexpr int kGroups = kUnit / OperandDecoder::kGroup2;
    Int16Lanes united{};
    for (ptrdiff_t unit = 0; unit < buses.words / kWords; ++unit) {
      for (int group = 0; group < kGroups; ++group) {
        buses.level2_factors[unit * kGroups + group] = 1 + ((buses.level2[unit] >> group) & 1);
      }
      for (int word = 0; word < kWords; ++word) {
        const Int16Lanes level3 = (buses.level3[unit] >> word) & 1;
        Int16Lanes codes = buses.codes[unit * kWords + word];
        for (ptrdiff_t i = 0; i < kWord; ++i, codes >>= 4) {
          Int16Lanes element;
          decode_s1p2_shifted<Int16Lanes>(codes & 15, level3, element);
          unite_magnitudes(element, united);
          buses.elements[unit * kUnit + word * kWord + i] = element;
        }
      }
    }
    return united_lanes(united);
  }
};

}  // namespace

OperandDecoder::OperandDecoder(int lanes, int depth, SimdTarget target)
    : lanes_(lanes),
      depth_(depth),
      target_(target),
      words_(static_cast<size_t>(padded_lanes(lanes) / kLanes * depth_ / kWord)),
      level2_(words_.size() * kWord / kUnit),
      level3_(level2_.size()),
      elements_(words_.size() * kWord),
      level2_factors_(elements_.size() / kGroup2) {}

void OperandDecoder::decode(ElementKind element, const CodeSlice& slice) {
  gather_codes(slice);
  const bool is_e2m1 = element == ElementKind::kE2m1;
  if (!is_e2m1) {
    gather_micro_exponents(slice);
  }
  const Buses buses{static_cast<ptrdiff_t>(words_.size()),
                    words_.data(),
                    level2_.data(),
                    level3_.data(),
                    elements_.data(),
                    level2_factors_.data()};
  if (is_e2m1) {
    require_united_width(kDoubledElement, run_on<DecodeE2m1>(target_, buses));
  } else {
    require_united_width(kShiftedElement, run_on<DecodeS1p2>(target_, buses));
  }
}

void OperandDecoder::gather_codes(const CodeSlice& slice) {
  const uint8_t* from = slice.codes.data();
  for (ptrdiff_t lane = 0; lane < lanes_; ++lane) {
    Int16Lanes* to = words_.data() + lane / kLanes * depth_ / kWord;
    for (ptrdiff_t word = 0; word < depth_ / kWord; word += 4) {
      // The first code lies in the lowest nibble: x86-64 is little-endian.
      uint64_t codes = 0;
      std::memcpy(&codes, from, sizeof codes);
      from += sizeof codes;
      to[word][lane % kLanes] = static_cast<int16_t>(codes);
      to[word + 1][lane % kLanes] = static_cast<int16_t>(codes >> 16);
      to[word + 2][lane % kLanes] = static_cast<int16_t>(codes >> 32);
      to[word + 3][lane % kLanes] = static_cast<int16_t>(codes >> 48);
    }
  }
}

void OperandDecoder::gather_micro_exponents(const CodeSlice& slice) {
  const ptrdiff_t units = depth_ / kUnit;
  for (ptrdiff_t lane = 0; lane < lanes_; ++lane) {
    for (ptrdiff_t unit = 0; unit < units; ++unit) {
      const auto to = static_cast<size_t>(lane / kLanes * units + unit);
      const auto from = static_cast<size_t>(lane * units + unit);
      level2_[to][lane % kLanes] = slice.level2[from];
      level3_[to][lane % kLanes] = static_cast<int16_t>(slice.level3[from]);
    }
  }
}

}  // namespace nibblecore::hw
