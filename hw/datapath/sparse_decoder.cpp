// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/sparse_decoder.hpp"

#include "hw/datapath/element_decoder.hpp"
#include "hw/datapath/simd_dispatch.hpp"
#include "hw/datapath/width.hpp"

namespace nibblecore::hw {
namespace {

constexpr ptrdiff_t kUnit = 64;       // elements along K of a HiF4 unit
constexpr ptrdiff_t kEight = 8;       // elements along K behind a word of codes
constexpr ptrdiff_t kIndexWord = 16;  // elements along K behind a word of indices
constexpr ptrdiff_t kKeptOfQuad = 2;

/// Of 16 lanes.
template <class Hooks>
struct Buses {
  ptrdiff_t active;           ///< elements along K, kept or not
  const Int16Lanes* codes;    ///< [active / 8], four a lane
  const Int16Lanes* indices;  ///< [active / 16], eight a lane
  const Int16Lanes* level2;   ///< [active / 64]
  const Int16Lanes* level3;   ///< [active / 64]
  Int16Lanes* elements;       ///< [active / 2]
  Int16Lanes* selects;        ///< [active / 2]
  Int16Lanes* level2_factors;
  OperandTap<Hooks> tap;
};

struct DecodeSelects {
  template <class Hooks>
  [[gnu::always_inline]] static void run(const Buses<Hooks>& buses) {
    constexpr ptrdiff_t kIndices = kIndexWord / 2;
    for (ptrdiff_t word = 0; word < buses.active / kIndexWord; ++word) {
      Int16Lanes indices = buses.indices[word];
      for (ptrdiff_t i = 0; i < kIndices; ++i, indices >>= 2) {
        Int16Lanes select = indices & 3;
        buses.tap.bus(Site::kResidualIndex, word * kIndices + i, select);
        buses.selects[word * kIndices + i] = select;
      }
    }
  }
};

/// The next two kernels return the OR of all elements' magnitudes.
struct DecodeKeptE2m1 {
  template <class Hooks>
  [[gnu::always_inline]] static uint32_t run(const Buses<Hooks>& buses) {
    Int16Lanes united{};
    for (ptrdiff_t word = 0; word < buses.active / kEight; ++word) {
      Int16Lanes codes = buses.codes[word];
      for (ptrdiff_t i = 0; i < kKeptOfEight; ++i, codes >>= 4) {
        Int16Lanes code = codes & 15;
        buses.tap.bus(Site::kResidualCode, word * kKeptOfEight + i, code);
        Int16Lanes element;
        decode_e2m1_doubled<Int16Lanes>(code, element);
        buses.tap.bus(Site::kResidualElement, word * kKeptOfEight + i, element);
        unite_magnitudes(element, united);
        buses.elements[word * kKeptOfEight + i] = element;
      }
    }
    return united_lanes(united);
  }
};

struct DecodeKeptS1p2 {
  template <class Hooks>
  [[gnu::always_inline]] static uint32_t run(const Buses<Hooks>& buses) {
    constexpr int kWords = kUnit / kEight;
    Int16Lanes united{};
    for (ptrdiff_t unit = 0; unit < buses.active / kUnit; ++unit) {
      Int16Lanes level3_bits = buses.level3[unit];
      for (int word = 0; word < kWords; ++word) {
        Int16Lanes level2 = (buses.level2[unit] >> word) & 1;
        buses.tap.bus(Site::kResidualLevel2, unit * kWords + word, level2);
        Int16Lanes factor;
        decode_level2<Int16Lanes>(level2, factor);
        buses.level2_factors[unit * kWords + word] = factor;
        Int16Lanes codes = buses.codes[unit * kWords + word];
        const ptrdiff_t first = (unit * kWords + word) * kKeptOfEight;
        for (ptrdiff_t quad = first; quad < first + kKeptOfEight; quad += kKeptOfQuad) {
          Int16Lanes level3 = level3_bits & 1;
          buses.tap.bus(Site::kResidualLevel3, quad / kKeptOfQuad, level3);
          level3_bits >>= 1;
          for (ptrdiff_t i = 0; i < kKeptOfQuad; ++i, codes >>= 4) {
            Int16Lanes code = codes & 15;
            buses.tap.bus(Site::kResidualCode, quad + i, code);
            Int16Lanes element;
            decode_s1p2_shifted<Int16Lanes>(code, level3, element);
            buses.tap.bus(Site::kResidualElement, quad + i, element);
            unite_magnitudes(element, united);
            buses.elements[quad + i] = element;
          }
        }
      }
    }
    return united_lanes(united);
  }
};

}  // namespace

template <class Hooks>
BasicSparseDecoder<Hooks>::BasicSparseDecoder(int lanes, int k, SimdTarget target, Hooks hooks)
    : lanes_(lanes),
      lane_groups_(padded_lanes(lanes) / kLanes),
      k_(k),
      target_(target),
      hooks_(hooks),
      codes_(lanes, k_ / kEight),
      indices_(lanes, k_ / kIndexWord),
      level2_(lanes, k_ / kUnit),
      level3_(lanes, k_ / kUnit),
      elements_(static_cast<size_t>(lane_groups_ * k_ / 2)),
      selects_(elements_.size()),
      level2_factors_(static_cast<size_t>(lane_groups_ * k_ / kEight)) {}

template <class Hooks>
void BasicSparseDecoder<Hooks>::decode(ElementKind element, const SparseLanes& operand,
                                       ptrdiff_t active) {
  const bool is_e2m1 = element == ElementKind::kE2m1;
  codes_.gather(operand.codes.data(), active / kEight);
  indices_.gather(operand.indices.data(), active / kIndexWord);
  if (!is_e2m1) {
    level2_.gather(operand.level2.data(), active / kUnit);
    level3_.gather(operand.level3.data(), active / kUnit);
  }
  for (ptrdiff_t group = 0; group < lane_groups_; ++group) {
    const Buses<Hooks> buses{active,
                             codes_.words(group),
                             indices_.words(group),
                             level2_.words(group),
                             level3_.words(group),
                             elements_.data() + group * k_ / 2,
                             selects_.data() + group * k_ / 2,
                             level2_factors_.data() + group * k_ / kEight,
                             {hooks_, lanes_, group * kLanes}};
    run_on<DecodeSelects>(target_, buses);
    if (is_e2m1) {
      require_united_width(kDoubledElement, run_on<DecodeKeptE2m1>(target_, buses));
    } else {
      require_united_width(kShiftedElement, run_on<DecodeKeptS1p2>(target_, buses));
    }
  }
}

template class BasicSparseDecoder<NoHooks>;
template class BasicSparseDecoder<ProbeHooks>;

}  // namespace nibblecore::hw
