// SPDX-License-Identifier: Apache-2.0
#include "model/formats/preset_tables.hpp"

namespace nibblecore {
namespace {

constexpr std::string_view kGcc =
    "global-computing-consortium/HiFloat4 6d937b6f, executed on a processor";

Hif4Rule gcc_rule(Precision product, HalfAddition half_addition, ZeroSign zero_sign,
                  Hif4NonFinite non_finite) {
  Hif4Rule rule{Precision::kAsFp32, product, product, Rounding::kNearestAway, zero_sign};
  rule.half_addition = half_addition;
  rule.non_finite = non_finite;
  return rule;
}

Hif4Rule gcc_torch_rule(Hif4Range range) {
  Hif4Rule rule = gcc_rule(Precision::kAsFp32, HalfAddition::kInFp32, ZeroSign::kPositive,
                           Hif4NonFinite::kTakePart);
  rule.range = range;
  return rule;
}

/// BF16 input and BF16 after every product, ties to even.
Hif4Rule bf16_rule(ZeroSign zero_sign) {
  return {Precision::kAsBf16, Precision::kAsBf16, Precision::kAsBf16, Rounding::kNearestEven,
          zero_sign};
}

Hif4Rule pto_rule() {
  Hif4Rule rule = bf16_rule(ZeroSign::kPositive);
  rule.scale_code_zero = ScaleCodeZero::kZero;
  rule.non_finite = Hif4NonFinite::kTakePart;
  return rule;
}

Hif4Rule cann_rule() {
  Hif4Rule rule = bf16_rule(ZeroSign::kPositive);
  rule.micro_product = Precision::kAsFp64;
  rule.range = Hif4Range::kNan;
  rule.non_finite = Hif4NonFinite::kTakePart;
  return rule;
}

Hif4Rule supernpu_rule() {
  Hif4Rule rule = bf16_rule(ZeroSign::kKept);
  rule.scale_rounding = Rounding::kNearestAway;
  rule.range = Hif4Range::kWraps;
  rule.non_finite = Hif4NonFinite::kTakePart;
  return rule;
}

}  // namespace

std::vector<Preset> hif4_presets() {
  return {
      Preset{"amct",
             {},
             kHif4,
             Hif4Rule{Precision::kAsFp32, Precision::kAsFp32, Precision::kAsBf16,
                      Rounding::kNearestAway, ZeroSign::kPositive},
             "software reference: FP32 products, scaled elements in BF16, ties away from zero",
             "hicann/amct 2be20daf, executed"},
      Preset{"model_a6_rne", "a6", kHif4, bf16_rule(ZeroSign::kKept),
             "hardware path: BF16 input and BF16 after every product, ties to even",
             "model of the Ascend A6 path, re-implemented from its sources"},
      Preset{"gcc_cuda",
             {},
             kHif4,
             gcc_rule(Precision::kAsFp32, HalfAddition::kExact, ZeroSign::kKept,
                      Hif4NonFinite::kByComparison),
             "CUDA kernel: FP32 products, ties away from zero, keeps -0",
             kGcc},
      Preset{"gcc_np_gpu",
             {},
             kHif4,
             gcc_rule(Precision::kAsFp64, HalfAddition::kExact, ZeroSign::kPositive,
                      Hif4NonFinite::kNanMaximum),
             "NumPy script: FP64 products, ties away from zero",
             kGcc},
      Preset{"gcc_torch_gpu",
             {},
             kHif4,
             gcc_torch_rule(Hif4Range::kClamped),
             "PyTorch function: FP32 products, adds the rounding's half in FP32",
             kGcc},
      Preset{"gcc_torch_npu",
             {},
             kHif4,
             gcc_torch_rule(Hif4Range::kUnbounded),
             "gcc_torch_gpu without a clamp of the scale: decodes with scales that the code cannot "
             "hold (NaN here)",
             kGcc},
      Preset{"model_pto_golden",
             {},
             kHif4,
             pto_rule(),
             "model_a6_rne with +0, and scale code 00 as a scale of zero",
             "model of the PTO ISA golden, re-implemented from its sources; NaN inputs, and "
             "infinities beyond the scale, are this project's choice"},
      Preset{"model_cann_ops_golden",
             {},
             kHif4,
             cann_rule(),
             "BF16 input, exact products for the micro-exponents, NaN for scales out of range",
             "model of the CANN ops golden, re-implemented from its sources; codes of units that "
             "are not finite are this project's choice"},
      Preset{"model_supernpu_golden",
             {},
             kHif4,
             supernpu_rule(),
             "model_a6_rne with the scale rounded half up and not held in range",
             "model of the SuperNPU golden, re-implemented from its sources; the sign of an "
             "infinity's code is this project's choice"},
  };
}

}  // namespace nibblecore
