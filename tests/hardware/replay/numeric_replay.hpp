// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tb/replay/replay.hpp"
#include "tests/system/support/small_trace.hpp"

namespace nibblecore::tb {

/// A trace of `gemms` products [4, 32] x [32, 4], and options that replay it without a simulation.
struct NumericReplay {
  explicit NumericReplay(int gemms) {
    std::vector<float> values(128);  // 4 x 32
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(i % 11) * 0.37F - 1.5F;
    }
    trace.tensors()
        .set("x", DType::kF32, {4, 32}, values)
        .set("w", DType::kF32, {4, 32}, std::vector<float>(values.rbegin(), values.rend()));
    for (int id = 0; id < gemms; ++id) {
      trace.add(id, R"("M":4,"N":4,"K":32)", "x", "w");
    }
    trace.write();
    options.trace = trace.path();
    options.preset = preset(kMxfp4, "");
    options.machine = built_in_machines().front();
    options.fidelity = Fidelity::kNumeric;
  }

  SmallTrace trace;
  ReplayOptions options;
};

}  // namespace nibblecore::tb
