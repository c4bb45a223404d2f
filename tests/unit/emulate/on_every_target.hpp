// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/emulate/gemm.hpp"

namespace nibblecore::test {

/// Every target that can run here, the portable one first.
inline std::vector<EmulatorTarget> available_targets() {
  std::vector<EmulatorTarget> targets;
  for (const EmulatorTargetRecord& record : kEmulatorTargets) {
    if (is_available(record.target)) {
      targets.push_back(record.target);
    }
  }
  return targets;
}

/// What emulate_gemm gives from `c` on (empty: no C), which must be the same on every target. An
/// output left unwritten shows as a NaN that no result has.
inline std::vector<uint32_t> emulate_on_every_target(const PackedMatrix& a, const PackedMatrix& b,
                                                     Accumulation policy,
                                                     const std::vector<uint32_t>& c, int threads,
                                                     const GemmCorrections& corrections = {}) {
  std::vector<uint32_t> first;
  for (const EmulatorTarget target : available_targets()) {
    std::vector<uint32_t> d(static_cast<size_t>(a.rows * b.rows), 0x7FDEAD00);
    EmulatorOptions options;
    options.target = target;
    emulate_gemm(a, b, policy, c.empty() ? nullptr : c.data(), d.data(), threads, corrections,
                 options);
    first = target == EmulatorTarget::kPortable ? d : first;
    EXPECT_EQ(d, first) << std::string(name_of(target)) << " differs from portable";
  }
  return first;
}

}  // namespace nibblecore::test
