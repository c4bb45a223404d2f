// SPDX-License-Identifier: Apache-2.0
// The circuits of the policies `blackwell` and `blackwell-v1`, array, scale multiplier and node,
// against every output of the golden vectors of the model that defines them.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "hw/datapath/blackwell_node.hpp"
#include "hw/datapath/dot_product_array.hpp"
#include "hw/datapath/nonzero_groups.hpp"
#include "hw/datapath/scale_multiplier.hpp"
#include "tests/hardware/datapath/available_targets.hpp"
#include "tests/unit/reference/mma_vectors.hpp"

namespace nibblecore::hw {
namespace {

constexpr uint8_t kRaised = 1;  // bit of `status`: the program behind d_v1 raised
constexpr uint32_t kMinusZero = 0x80000000;

/// A core whose one step is a tile of a file.
class TileCore {
 public:
  TileCore(const CoreDescription& core, SimdTarget target)
      : core_(core),
        target_(target),
        array_(core, target),
        scales_(core, target),
        a_(core.rows, core.depth),
        b_(core.columns, core.depth),
        a_scales_(core.rows, core.depth),
        b_scales_(core.columns, core.depth),
        sums_(core),
        products_(core),
        accumulators_(static_cast<size_t>(core.rows) * padded_lanes(core.columns)) {}

  void run(Accumulation policy, const PackedMatrix& a, const PackedMatrix& b, const uint32_t* c,
           uint32_t* d) {
    const int blocks = core_.depth / a.format.block;
    a_.tag.dense_blocks = a_scales_.tag.dense_blocks = blocks;
    put_codes(a, core_.depth, a_.dense);
    put_codes(b, 2 * core_.depth, b_.dense);
    put_scales(a, a_scales_);
    put_scales(b, b_scales_);
    array_.multiply(a.format, a_, b_, sums_, SumLength::kSixteen);
    scales_.multiply(a.format, a_scales_, b_scales_, products_);
    for_each_output([&](size_t padded, size_t i) { accumulators_[padded] = c[i]; });
    accumulate_nodes(target_, node_rule(policy, a.format),
                     {accumulators_.size(), kNodeGroups, a.format.block / kSixteen,
                      sums_.sums.data(), sums_.nonzero.data(), products_.significands.data(),
                      products_.exponents.data(), products_.nan.data()},
                     accumulators_.data());
    for_each_output([&](size_t padded, size_t i) { d[i] = accumulators_[padded]; });
  }

 private:
  static void put_codes(const PackedMatrix& matrix, int k, CodeLanes& lanes) {
    for (int64_t row = 0; row < matrix.rows; ++row) {
      std::copy_n(matrix.row_codes(row), matrix.code_stride(), lanes.codes.begin() + row * k / 2);
    }
  }

  void put_scales(const PackedMatrix& matrix, ScaleSlice& slice) const {
    for (int64_t row = 0; row < matrix.rows; ++row) {
      std::copy_n(matrix.row_scales(row), matrix.scale_stride(),
                  slice.scales.begin() + row * most_blocks(core_.depth));
    }
  }

  template <class Visitor>
  void for_each_output(Visitor visit) const {
    const auto columns = static_cast<size_t>(core_.columns);
    const auto padded = static_cast<size_t>(padded_lanes(core_.columns));
    for (size_t i = 0; i < static_cast<size_t>(core_.rows) * columns; ++i) {
      visit(i / columns * padded + i % columns, i);
    }
  }

  CoreDescription core_;
  SimdTarget target_;
  DotProductArray array_;
  ScaleMultiplier scales_;
  ASlice a_;
  BSlice b_;
  ScaleSlice a_scales_;
  ScaleSlice b_scales_;
  BlockSums sums_;
  ScaleProducts products_;
  std::vector<uint32_t> accumulators_;
};

std::vector<uint32_t> results(const MmaVectors& vectors, Accumulation policy, SimdTarget target) {
  TileCore core({static_cast<int>(vectors.a(0).rows), static_cast<int>(vectors.b(0).rows), 64},
                target);
  std::vector<uint32_t> d(vectors.d.size());
  for (int64_t tile = 0; tile < vectors.tiles(); ++tile) {
    const int64_t first = tile * vectors.tile_size();
    core.run(policy, vectors.a(tile), vectors.b(tile), vectors.c.data() + first, d.data() + first);
  }
  return d;
}

TEST(BlackwellVectors, BlackwellGivesEveryBitOnEveryTarget) {
  int64_t compared = 0;
  int64_t minus_zeros = 0;
  for (const char* const file : kMmaVectorFiles) {
    const MmaVectors vectors(file);
    for (const SimdTarget target : test::available_targets()) {
      const std::vector<uint32_t> d = results(vectors, Accumulation::kBlackwell, target);
      EXPECT_EQ(d == vectors.d, true) << file << ", " << simd_target_name(target);
      minus_zeros += std::count(d.begin(), d.end(), kMinusZero);
    }
    compared += static_cast<int64_t>(vectors.d.size());
  }
  EXPECT_EQ(compared, 4 * 67'072 + 3 * 69'632);
  const auto targets = static_cast<int64_t>(test::available_targets().size());
  EXPECT_EQ(minus_zeros, 222 * targets) << "zero signs, which the model may have wrong";
}

TEST(BlackwellVectors, BlackwellV1GivesEveryBitButWhereItsProgramRaised) {
  for (const char* const file : kMmaVectorFiles) {
    const MmaVectors vectors(file);
    for (const SimdTarget target : test::available_targets()) {
      const std::vector<uint32_t> d = results(vectors, Accumulation::kBlackwellV1, target);
      std::vector<uint32_t> expected = vectors.d_v1;
      int64_t raised = 0;
      for (size_t i = 0; i < d.size(); ++i) {
        if ((vectors.status[i] & kRaised) != 0) {
          expected[i] = vectors.c[i];  // an infinity, which stays
          ++raised;
        }
      }
      EXPECT_EQ(d == expected, true) << file << ", " << simd_target_name(target);
      EXPECT_GE(raised, 316) << file;
      EXPECT_LE(raised, 539) << file;
      EXPECT_EQ(std::count(d.begin(), d.end(), kMinusZero), 0) << file;
    }
  }
}

}  // namespace
}  // namespace nibblecore::hw
