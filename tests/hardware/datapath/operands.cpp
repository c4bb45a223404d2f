// SPDX-License-Identifier: Apache-2.0
#include "tests/hardware/datapath/operands.hpp"

#include "model/formats/e2m1.hpp"
#include "model/formats/packed_matrix.hpp"
#include "model/formats/s1p2.hpp"

namespace nibblecore::test {
namespace {

template <class Bits>
void randomize(std::vector<Bits>& bits, std::mt19937& random) {
  for (Bits& each : bits) {
    each = static_cast<Bits>(random());
  }
}

template <class Lanes>
void randomize_lanes(Lanes& lanes, std::mt19937& random) {
  randomize(lanes.codes, random);
  randomize(lanes.level2, random);
  randomize(lanes.level3, random);
}

/// The element of this code at position k of a lane.
template <class Lanes>
int32_t defined_element(ElementKind kind, const Lanes& operand, size_t units, size_t lane, size_t k,
                        uint8_t code) {
  if (kind == ElementKind::kE2m1) {
    return kE2m1Doubled[code];
  }
  const size_t unit = lane * units + k / 64;
  const int level2 = (operand.level2[unit] >> (k % 64 / 8)) & 1;
  const int level3 = (operand.level3[unit] >> (k % 64 / 4)) & 1;
  return s1p2_quarters(code) * (1 << (level2 + level3));
}

Elements zeros(int lanes, int k) {
  return {k, std::vector<int32_t>(static_cast<size_t>(lanes) * static_cast<size_t>(k))};
}

}  // namespace

hw::ASlice random_a(const CoreDescription& core, std::mt19937& random) {
  hw::ASlice a(core.rows, core.depth);
  randomize_lanes(a.dense, random);
  randomize_lanes(a.sparse, random);
  randomize(a.sparse.indices, random);
  return a;
}

hw::BSlice random_b(const CoreDescription& core, std::mt19937& random) {
  hw::BSlice b(core.columns, core.depth);
  randomize_lanes(b.dense, random);
  return b;
}

Elements defined_elements(ElementKind kind, const hw::CodeLanes& operand, int lanes, int k) {
  Elements elements = zeros(lanes, k);
  const auto length = static_cast<size_t>(k);
  for (size_t i = 0; i < elements.values.size(); ++i) {
    const uint8_t code = packed_code(operand.codes.data(), static_cast<int64_t>(i));
    elements.values[i] = defined_element(kind, operand, length / 64, i / length, i % length, code);
  }
  return elements;
}

Elements defined_elements(ElementKind kind, const hw::SparseLanes& operand, int lanes, int k) {
  Elements elements = zeros(lanes, k);
  const auto length = static_cast<size_t>(k);
  for (size_t lane = 0; lane < static_cast<size_t>(lanes); ++lane) {
    for (size_t kept = 0; kept < length / 2; ++kept) {
      const size_t i = lane * length / 2 + kept;
      const uint8_t code = packed_code(operand.codes.data(), static_cast<int64_t>(i));
      const auto quad_indices = packed_code(operand.indices.data(), static_cast<int64_t>(i / 2));
      const size_t index = (quad_indices >> (2 * (kept % 2))) & 3U;
      const size_t position = kept / 2 * 4 + index;
      // Two of one position, which no selector gives, count both.
      elements.values[lane * length + position] +=
          defined_element(kind, operand, length / 64, lane, position, code);
    }
  }
  return elements;
}

std::vector<int32_t> defined_sums(const CoreDescription& core, const Elements& a, const Elements& b,
                                  int block, int blocks) {
  std::vector<int32_t> sums;
  for (int first = 0; first < blocks * block; first += block) {
    for (int i = 0; i < core.rows; ++i) {
      for (int j = 0; j < core.columns; ++j) {
        int32_t sum = 0;
        for (int k = first; k < first + block; ++k) {
          sum += a.at(i, k) * b.at(j, k);
        }
        sums.push_back(sum);
      }
    }
  }
  return sums;
}

}  // namespace nibblecore::test
