// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/dot_product_array.hpp"

#include <array>
#include <cstddef>

#include "hw/datapath/element_decoder.hpp"
#include "hw/datapath/width.hpp"

namespace nibblecore::hw {
namespace {

constexpr ptrdiff_t kUnit = 64;   // elements of a HiF4 unit
constexpr ptrdiff_t kGroup2 = 8;  // elements that share a level-2 micro-exponent
constexpr size_t kGroup3 = 4;     // elements that share a level-3 micro-exponent

using NibblePair = std::array<int16_t, 2>;

/// Both elements of a byte, for every byte and both level-3 bits: the decoders as a look-up.
template <class Decode>
constexpr std::array<NibblePair, 256> decode_table(Decode decode) {
  std::array<NibblePair, 256> table{};
  for (uint32_t byte = 0; byte < table.size(); ++byte) {
    table[byte] = {decode(byte & 15), decode(byte >> 4)};
  }
  return table;
}

constexpr auto kE2m1Table = decode_table([](uint32_t code) { return decode_e2m1_doubled(code); });
constexpr std::array<std::array<NibblePair, 256>, 2> kS1p2Tables{
    decode_table([](uint32_t code) { return decode_s1p2_shifted(code, 0); }),
    decode_table([](uint32_t code) { return decode_s1p2_shifted(code, 1); })};

void decode_e2m1_lanes(const CodeSlice& slice, std::vector<int16_t>& elements) {
  for (size_t i = 0; i < slice.codes.size(); ++i) {
    const NibblePair& pair = kE2m1Table[slice.codes[i]];
    elements[2 * i] = pair[0];
    elements[2 * i + 1] = pair[1];
  }
}

void decode_s1p2_lanes(const CodeSlice& slice, std::vector<int16_t>& elements) {
  constexpr size_t kGroupsAUnit = kUnit / kGroup3;
  for (size_t group = 0; group < elements.size() / kGroup3; ++group) {
    const uint32_t bits = slice.level3[group / kGroupsAUnit];
    const auto& table = kS1p2Tables[(bits >> (group % kGroupsAUnit)) & 1];
    for (size_t i = group * kGroup3 / 2; i < (group + 1) * kGroup3 / 2; ++i) {
      const NibblePair& pair = table[slice.codes[i]];
      elements[2 * i] = pair[0];
      elements[2 * i + 1] = pair[1];
    }
  }
}

void require_width(const std::vector<int16_t>& elements, const Bus& bus) {
  WidthMonitor monitor(bus);
  for (const int16_t element : elements) {
    monitor.observe(element);
  }
  monitor.require();
}

/// One adder tree: the sum of `Count` products.
template <ptrdiff_t Count>
int32_t sum_of_products(const int16_t* x, const int16_t* y) {
  int32_t sum = 0;
  for (ptrdiff_t i = 0; i < Count; ++i) {
    sum += int32_t{x[i]} * y[i];
  }
  return sum;
}

template <ptrdiff_t Block>
void block_sums(const CoreDescription& core, const std::vector<int16_t>& a,
                const std::vector<int16_t>& b, const Bus& bus, std::vector<int32_t>& sums) {
  WidthMonitor width(bus);
  const ptrdiff_t depth = core.depth;
  size_t out = 0;
  for (ptrdiff_t block = 0; block < depth / Block; ++block) {
    for (ptrdiff_t i = 0; i < core.rows; ++i) {
      for (ptrdiff_t j = 0; j < core.columns; ++j, ++out) {
        sums[out] = sum_of_products<Block>(a.data() + i * depth + block * Block,
                                           b.data() + j * depth + block * Block);
        width.observe(sums[out]);
      }
    }
  }
  width.require();
}

}  // namespace

DotProductArray::DotProductArray(const CoreDescription& core)
    : core_(core),
      a_elements_(static_cast<size_t>(core.rows) * core.depth),
      b_elements_(static_cast<size_t>(core.columns) * core.depth) {}

void DotProductArray::multiply(const BlockFormat& format, const CodeSlice& a, const CodeSlice& b,
                               BlockSums& result) {
  if (format.element == ElementKind::kE2m1) {
    decode_e2m1_lanes(a, a_elements_);
    decode_e2m1_lanes(b, b_elements_);
    multiply_e2m1(format.block, result);
  } else {
    decode_s1p2_lanes(a, a_elements_);
    decode_s1p2_lanes(b, b_elements_);
    multiply_hif4(a, b, result);
  }
}

void DotProductArray::multiply_e2m1(int block, BlockSums& result) {
  require_width(a_elements_, kDoubledElement);
  require_width(b_elements_, kDoubledElement);
  if (block == 16) {
    block_sums<16>(core_, a_elements_, b_elements_, kBlockSum16, result.sums);
  } else if (block == 32) {
    block_sums<32>(core_, a_elements_, b_elements_, kBlockSum32, result.sums);
  } else {
    block_sums<64>(core_, a_elements_, b_elements_, kBlockSum64, result.sums);
  }
}

void DotProductArray::multiply_hif4(const CodeSlice& a, const CodeSlice& b, BlockSums& result) {
  require_width(a_elements_, kShiftedElement);
  require_width(b_elements_, kShiftedElement);
  WidthMonitor group_width(kGroupSum);
  WidthMonitor unit_width(kUnitSum);
  const ptrdiff_t units = core_.depth / kUnit;
  size_t out = 0;
  for (ptrdiff_t unit = 0; unit < units; ++unit) {
    for (ptrdiff_t i = 0; i < core_.rows; ++i) {
      const uint32_t a_level2 = a.level2[static_cast<size_t>(i * units + unit)];
      const int16_t* x = a_elements_.data() + (i * units + unit) * kUnit;
      for (ptrdiff_t j = 0; j < core_.columns; ++j, ++out) {
        const uint32_t b_level2 = b.level2[static_cast<size_t>(j * units + unit)];
        const int16_t* y = b_elements_.data() + (j * units + unit) * kUnit;
        int32_t sum = 0;
        for (ptrdiff_t group = 0; group < kUnit / kGroup2; ++group) {
          const int32_t group_sum =
              sum_of_products<kGroup2>(x + group * kGroup2, y + group * kGroup2);
          group_width.observe(group_sum);
          const uint32_t shift = ((a_level2 >> group) & 1) + ((b_level2 >> group) & 1);
          // A multiplication stands for the shift: C++17 leaves shifting a negative undefined.
          sum += group_sum * (1 << shift);
        }
        unit_width.observe(sum);
        result.sums[out] = sum;
      }
    }
  }
  group_width.require();
  unit_width.require();
}

}  // namespace nibblecore::hw
