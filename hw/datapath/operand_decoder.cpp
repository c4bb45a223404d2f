// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/operand_decoder.hpp"

#include "hw/datapath/element_decoder.hpp"
#include "hw/datapath/simd_dispatch.hpp"
#include "hw/datapath/width.hpp"

namespace nibblecore::hw {
namespace {

constexpr ptrdiff_t kUnit = 64;  // elements of a HiF4 unit
constexpr ptrdiff_t kWord = 4;   // codes of a word; also what shares a level-3 micro-exponent

/// Of 16 lanes.
template <class Hooks>
struct Buses {
  ptrdiff_t words;           ///< that are active
  const Int16Lanes* codes;   ///< [words], four a lane
  const Int16Lanes* level2;  ///< [words / 16]
  const Int16Lanes* level3;  ///< [words / 16]
  Int16Lanes* elements;      ///< [words * 4]
  Int16Lanes* level2_factors;
  const DecoderSites& sites;
  OperandTap<Hooks> tap;
};

/// Kernels return the OR of all elements' magnitudes.
struct DecodeE2m1 {
  template <class Hooks>
  [[gnu::always_inline]] static uint32_t run(const Buses<Hooks>& buses) {
    Int16Lanes united{};
    for (ptrdiff_t word = 0; word < buses.words; ++word) {
      Int16Lanes codes = buses.codes[word];
      for (ptrdiff_t i = 0; i < kWord; ++i, codes >>= 4) {
        Int16Lanes code = codes & 15;
        buses.tap.bus(buses.sites.code, word * kWord + i, code);
        Int16Lanes element;
        decode_e2m1_doubled<Int16Lanes>(code, element);
        buses.tap.bus(buses.sites.element, word * kWord + i, element);
        unite_magnitudes(element, united);
        buses.elements[word * kWord + i] = element;
      }
    }
    return united_lanes(united);
  }
};

struct DecodeS1p2 {
  template <class Hooks>
  [[gnu::always_inline]] static uint32_t run(const Buses<Hooks>& buses) {
    constexpr int kWords = kUnit / kWord;
    constexpr int kGroups = kUnit / kGroupOfLevel2;
    Int16Lanes united{};
    for (ptrdiff_t unit = 0; unit < buses.words / kWords; ++unit) {
      for (int group = 0; group < kGroups; ++group) {
        Int16Lanes level2 = (buses.level2[unit] >> group) & 1;
        buses.tap.bus(buses.sites.level2, unit * kGroups + group, level2);
        Int16Lanes factor;
        decode_level2<Int16Lanes>(level2, factor);
        buses.level2_factors[unit * kGroups + group] = factor;
      }
      for (int word = 0; word < kWords; ++word) {
        Int16Lanes level3 = (buses.level3[unit] >> word) & 1;
        buses.tap.bus(buses.sites.level3, unit * kWords + word, level3);
        Int16Lanes codes = buses.codes[unit * kWords + word];
        const ptrdiff_t first = unit * kUnit + word * kWord;
        for (ptrdiff_t i = 0; i < kWord; ++i, codes >>= 4) {
          Int16Lanes code = codes & 15;
          buses.tap.bus(buses.sites.code, first + i, code);
          Int16Lanes element;
          decode_s1p2_shifted<Int16Lanes>(code, level3, element);
          buses.tap.bus(buses.sites.element, first + i, element);
          unite_magnitudes(element, united);
          buses.elements[first + i] = element;
        }
      }
    }
    return united_lanes(united);
  }
};

}  // namespace

template <class Hooks>
BasicOperandDecoder<Hooks>::BasicOperandDecoder(int lanes, int k, SimdTarget target,
                                                const DecoderSites& sites, Hooks hooks)
    : lanes_(lanes),
      lane_groups_(padded_lanes(lanes) / kLanes),
      k_(k),
      target_(target),
      sites_(sites),
      hooks_(hooks),
      codes_(lanes, k_ / kWord),
      level2_(lanes, k_ / kUnit),
      level3_(lanes, k_ / kUnit),
      elements_(static_cast<size_t>(lane_groups_ * k_)),
      level2_factors_(elements_.size() / kGroupOfLevel2) {}

template <class Hooks>
void BasicOperandDecoder<Hooks>::decode(ElementKind element, const CodeLanes& operand,
                                        ptrdiff_t active) {
  const bool is_e2m1 = element == ElementKind::kE2m1;
  codes_.gather(operand.codes.data(), active / kWord);
  if (!is_e2m1) {
    level2_.gather(operand.level2.data(), active / kUnit);
    level3_.gather(operand.level3.data(), active / kUnit);
  }
  for (ptrdiff_t group = 0; group < lane_groups_; ++group) {
    const Buses<Hooks> buses{active / kWord,
                             codes_.words(group),
                             level2_.words(group),
                             level3_.words(group),
                             elements_.data() + group * k_,
                             level2_factors_.data() + group * k_ / kGroupOfLevel2,
                             sites_,
                             {hooks_, lanes_, group * kLanes}};
    if (is_e2m1) {
      require_united_width(kDoubledElement, run_on<DecodeE2m1>(target_, buses));
    } else {
      require_united_width(kShiftedElement, run_on<DecodeS1p2>(target_, buses));
    }
  }
}

template class BasicOperandDecoder<NoHooks>;
template class BasicOperandDecoder<ProbeHooks>;

}  // namespace nibblecore::hw
