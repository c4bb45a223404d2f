// SPDX-License-Identifier: Apache-2.0
#include "model/formats/preset_tables.hpp"

namespace nibblecore {
namespace {

Nvfp4Rule fp64_rule(Nvfp4TensorRule tensor) {
  return {Rounding::kNearestEven, tensor, Nvfp4ScaleRule::kFp64Sixth,
          Nvfp4ElementRule::kFp64Quotient};
}

}  // namespace

std::vector<Preset> nvfp4_presets() {
  return {
      Preset{"te_nvfp4",
             {},
             kNvfp4,
             Nvfp4Rule{},
             "UE4M3 scales under an FP32 tensor scale, nearest even",
             "NVIDIA/TransformerEngine, formula of its reference quantizer (published)"},
      Preset{"ggml_nvfp4",
             {},
             kNvfp4,
             Nvfp4Rule{Rounding::kNearestZero, Nvfp4TensorRule::kNone, Nvfp4ScaleRule::kHalfUpSixth,
                       Nvfp4ElementRule::kLeastFp32Error},
             "UE4M3 scales alone, rounded half up, elements of the least error",
             "ggml-org/ggml d99724f2, executed on a processor"},
      Preset{"hifloat4_nvfp4",
             {},
             kNvfp4,
             fp64_rule(Nvfp4TensorRule::kNone),
             "UE4M3 scales alone, FP64 arithmetic, nearest even",
             "global-computing-consortium/HiFloat4, research script (published, not run)"},
      Preset{"hifloat4_nvfp4_pts",
             {},
             kNvfp4,
             fp64_rule(Nvfp4TensorRule::kDivisor),
             "hifloat4_nvfp4 of the tensor over a scale of its largest magnitude / 2688",
             "global-computing-consortium/HiFloat4, research script (published, not run); a tensor "
             "of zeros, or with an infinity, has scale 1 by this project's choice"},
      Preset{"four_over_six",
             {},
             kNvfp4,
             Nvfp4Rule{Rounding::kNearestEven, Nvfp4TensorRule::kEncodeFactor,
                       Nvfp4ScaleRule::kFourOverSix, Nvfp4ElementRule::kFp32Reciprocal},
             "te_nvfp4 with the better of two block scales, for a maximum of 6 or of 4",
             "4over6, arXiv 2512.02010, by absolute error and under scales up to 448 as "
             "NVIDIA/TransformerEngine offers it (published, not run)"},
  };
}

}  // namespace nibblecore
