// SPDX-License-Identifier: Apache-2.0
#include "model/formats/preset_tables.hpp"

namespace nibblecore {
namespace {

using Quirk = Mxfp4Quirk;

constexpr std::string_view kTorchao = "pytorch/ao 36027d82, executed";
constexpr std::string_view kAiter = "ROCm/aiter e4048607, executed";
constexpr std::string_view kTriton = "triton-lang/triton 018a674f, transcribed";
constexpr std::string_view kMicroxcalingCpp =
    "microsoft/microxcaling 7bc41952, C++ header built for the host";
constexpr std::string_view kMicroxcalingTorch =
    "microsoft/microxcaling 7bc41952, torch path, executed";
constexpr std::string_view kGfloat = "graphcore-research/gfloat b142762d, executed";

/// The peers' converters make code 3 of the NaN quotients of a NaN block, as if they were 1.5.
constexpr uint8_t kConvertedNan = 3;

Preset exact(ScaleRule scale, std::string_view meaning, std::string_view provenance) {
  return {std::string(name_of(scale)),
          {},
          kMxfp4,
          Mxfp4Rule{scale, Rounding::kNearestEven},
          meaning,
          provenance};
}

std::vector<Preset> exact_presets() {
  return {
      exact(ScaleRule::kRceil, "smallest power-of-two scale that clips nothing, nearest even",
            "exact rule; reference pytorch/ao 36027d82 RCEIL but for largest magnitude "
            "0x01400001, where its FP32 reciprocal slips"),
      exact(ScaleRule::kFloor, "exponent of the largest magnitude minus 2, nearest even",
            "OCP MX v1.0, section 6.3; reference pytorch/ao 36027d82 FLOOR"),
      exact(ScaleRule::kCeil, "exponent of the largest magnitude rounded up, minus 2, nearest even",
            "exact rule; reference pytorch/ao 36027d82 CEIL"),
      exact(ScaleRule::kEven,
            "exponent of the largest magnitude rounded to one mantissa bit, minus 2, "
            "nearest even",
            "exact rule; reference pytorch/ao 36027d82 EVEN but for largest magnitudes "
            "from 0x7F600000 up, which overflow there"),
      exact(ScaleRule::kOas,
            "exponent of the largest magnitude minus 2, one more above a significand of "
            "1.75, nearest even",
            "overflow-aware scaling, arXiv 2603.08713 (published)"),
      exact(ScaleRule::kFourThirds,
            "4/3 of a quarter of the largest power of two in the block, nearest even; the code is "
            "of three scales, the tensor scale FP32(1/3)",
            "exact rule; IST-DASLab/FP-Quant d2e3092f but for its log2f and FP32 division"),
      exact(ScaleRule::kBestPowerOfTwo,
            "least squared error of the block among 1/4, 1/2, 1 and 2 times rceil's scale, "
            "nearest even",
            "computed reference"),
  };
}

Preset peer(std::string_view name, const Mxfp4Rule& rule, std::string_view meaning,
            std::string_view provenance) {
  return {std::string(name), {}, kMxfp4, rule, meaning, provenance};
}

Preset torchao(std::string_view name, ScaleRule scale, Mxfp4Quirks quirks,
               std::string_view meaning) {
  return peer(name, {scale, Rounding::kNearestEven, kConvertedNan, quirks}, meaning, kTorchao);
}

Preset aiter(std::string_view name, ScaleRule scale, Mxfp4Quirks quirks, std::string_view meaning) {
  return peer(name, {scale, Rounding::kNearestEven, kConvertedNan, quirks}, meaning, kAiter);
}

Preset triton(std::string_view name, ScaleRule scale, Mxfp4Quirks quirks,
              std::string_view meaning) {
  return peer(name, {scale, Rounding::kNearestEven, 0, quirks}, meaning, kTriton);
}

Preset microxcaling_cpp(std::string_view name, Rounding rounding, std::string_view meaning) {
  return peer(name, {ScaleRule::kFloor, rounding, 0, {Quirk::kPositiveZero}}, meaning,
              kMicroxcalingCpp);
}

constexpr Mxfp4Quirks kMicroxcalingTorchQuirks{
    Quirk::kLog2f, Quirk::kFp32HalfAdd, Quirk::kMinusZeroPositive, Quirk::kUnderflowLosesSign};
constexpr Mxfp4Quirks kMicroxcalingTorchFlushQuirks{
    Quirk::kLog2f, Quirk::kFp32HalfAdd, Quirk::kMinusZeroPositive, Quirk::kUnderflowLosesSign,
    Quirk::kFlushSubnormalBlocks};

Preset microxcaling_torch(std::string_view name, Rounding rounding, Mxfp4Quirks quirks,
                          std::string_view meaning) {
  return peer(name, {ScaleRule::kFloor, rounding, 0, quirks}, meaning, kMicroxcalingTorch);
}

Preset gfloat(std::string_view name, Mxfp4Quirks quirks, std::string_view meaning) {
  return peer(name, {ScaleRule::kFloor, Rounding::kNearestEven, 0, quirks}, meaning, kGfloat);
}

std::vector<Preset> peer_presets() {
  return {
      torchao("torchao_floor", ScaleRule::kFloor, {}, "floor, nearest even"),
      torchao("torchao_ceil", ScaleRule::kCeil, {}, "ceil, nearest even"),
      torchao("torchao_even", ScaleRule::kEven, {Quirk::kEvenOverflowNan}, "even, nearest even"),
      torchao("torchao_rceil", ScaleRule::kRceil, {Quirk::kReciprocalSixth}, "rceil, nearest even"),
      aiter("aiter_round_down", ScaleRule::kFloor, {Quirk::kFp32Quotient, Quirk::kNanElementCodes},
            "floor, nearest even"),
      aiter("aiter_round_up", ScaleRule::kRceil,
            {Quirk::kFp32Quotient, Quirk::kSubnormalBump, Quirk::kNanElementCodes},
            "rceil, nearest even"),
      aiter("aiter_ceil", ScaleRule::kCeil,
            {Quirk::kFp32Quotient, Quirk::kSubnormalBump, Quirk::kNanElementCodes},
            "ceil, nearest even"),
      aiter("aiter_even", ScaleRule::kEven, {Quirk::kEvenOverflowNan, Quirk::kNanElementCodes},
            "even, nearest even"),
      triton("triton_kernels_round_up", ScaleRule::kRceil,
             {Quirk::kFp32Quotient, Quirk::kSubnormalBump, Quirk::kNanWrapsToZero,
              Quirk::kInfiniteScale, Quirk::kCodeZeroIsZero, Quirk::kDecodeClamps},
             "rceil, nearest even"),
      triton("triton_kernels_round_down", ScaleRule::kFloor,
             {Quirk::kFp32Quotient, Quirk::kInfiniteScale, Quirk::kCodeZeroIsZero,
              Quirk::kDecodeClamps},
             "floor, nearest even"),
      microxcaling_cpp("microxcaling_cpp_nearest", Rounding::kNearestAway, "floor, half away"),
      microxcaling_cpp("microxcaling_cpp_even", Rounding::kNearestEven, "floor, nearest even"),
      microxcaling_cpp("microxcaling_cpp_floor", Rounding::kTowardZero, "floor, toward zero"),
      microxcaling_torch("microxcaling_torch_nearest", Rounding::kNearestAway,
                         kMicroxcalingTorchQuirks, "floor, half away"),
      microxcaling_torch("microxcaling_torch_even", Rounding::kNearestEven,
                         kMicroxcalingTorchQuirks, "floor, nearest even"),
      microxcaling_torch("microxcaling_torch_floor", Rounding::kTowardZero,
                         kMicroxcalingTorchQuirks, "floor, toward zero"),
      microxcaling_torch("microxcaling_torch_even_flushsub", Rounding::kNearestEven,
                         kMicroxcalingTorchFlushQuirks, "floor, nearest even, subnormals flushed"),
      gfloat("gfloat_amax_float64", {Quirk::kInfinityScale254, Quirk::kNanRefused},
             "floor, nearest even"),
      gfloat("gfloat_amax_float32", {Quirk::kLog2f, Quirk::kInfinityScale254, Quirk::kNanRefused},
             "floor, nearest even"),
      peer("ggml_mxfp4",
           {ScaleRule::kFloor,
            Rounding::kNearestZero,
            0,
            {Quirk::kLog2f, Quirk::kUint8Wrap, Quirk::kNanIgnored, Quirk::kSmallestFp32Error}},
           "floor, half toward zero", "ggml-org/ggml d99724f2, native release build"),
      peer("fpquant_mxfp4",
           {ScaleRule::kFourThirds,
            Rounding::kNearestEven,
            0,
            {Quirk::kLog2f, Quirk::kFp32Scale, Quirk::kMinusZeroPositive,
             Quirk::kUnderflowLosesSign, Quirk::kCodesDropZeroSign}},
           "four_thirds, nearest even; its refusal of blocks not finite is a NaN block here",
           "IST-DASLab/FP-Quant d2e3092f, executed"),
      peer("te_pow2_ceil",
           {ScaleRule::kRceil,
            Rounding::kNearestEven,
            0,
            {Quirk::kLog2fCeil, Quirk::kInfinityScale254, Quirk::kMinusZeroPositive,
             Quirk::kUnderflowLosesSign}},
           "rceil, nearest even", "NVIDIA/TransformerEngine d0067d0d, executed on blocks of 32"),
  };
}

}  // namespace

std::vector<Preset> mxfp4_presets() {
  std::vector<Preset> all = exact_presets();
  for (Preset& preset : peer_presets()) {
    all.push_back(std::move(preset));
  }
  return all;
}

}  // namespace nibblecore
