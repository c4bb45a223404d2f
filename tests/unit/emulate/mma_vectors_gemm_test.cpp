// SPDX-License-Identifier: Apache-2.0
// The emulator against every output of the golden vectors of the policies `blackwell` and
// `blackwell-v1`.
#include <gtest/gtest.h>

#include "model/emulate/gemm.hpp"
#include "tests/unit/emulate/on_every_target.hpp"
#include "tests/unit/reference/mma_vectors.hpp"

namespace nibblecore::test {
namespace {

constexpr uint8_t kRaised = 1;  // bit of `status`: the program behind d_v1 raised

std::vector<uint32_t> results(const MmaVectors& vectors, Accumulation policy,
                              EmulatorTarget target) {
  EmulatorOptions options;
  options.target = target;
  std::vector<uint32_t> d(vectors.d.size(), 0x7FDEAD00);
  for (int64_t tile = 0; tile < vectors.tiles(); ++tile) {
    const int64_t first = tile * vectors.tile_size();
    emulate_gemm(vectors.a(tile), vectors.b(tile), policy, vectors.c.data() + first,
                 d.data() + first, 1, {}, options);
  }
  return d;
}

class MmaVectorsGemm : public testing::TestWithParam<const char*> {};

TEST_P(MmaVectorsGemm, BlackwellGivesEveryBit) {
  const MmaVectors vectors(GetParam());
  for (const EmulatorTarget target : available_targets()) {
    EXPECT_EQ(results(vectors, Accumulation::kBlackwell, target), vectors.d) << name_of(target);
  }
}

TEST_P(MmaVectorsGemm, BlackwellV1GivesEveryBit) {
  const MmaVectors vectors(GetParam());
  // Where that program raised, C is an infinity, which stays.
  std::vector<uint32_t> expected = vectors.d_v1;
  for (size_t i = 0; i < expected.size(); ++i) {
    expected[i] = (vectors.status[i] & kRaised) != 0 ? vectors.c[i] : expected[i];
  }
  for (const EmulatorTarget target : available_targets()) {
    EXPECT_EQ(results(vectors, Accumulation::kBlackwellV1, target), expected) << name_of(target);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, MmaVectorsGemm, testing::ValuesIn(kMmaVectorFiles),
                         [](const testing::TestParamInfo<const char*>& file) {
                           return std::string(file.param);
                         });

}  // namespace
}  // namespace nibblecore::test
