// SPDX-License-Identifier: Apache-2.0
#include "tests/hardware/support/random_gemm.hpp"

#include <cmath>
#include <cstring>

#include "hw/datapath/quantizer_job.hpp"
#include "model/common/bits.hpp"
#include "model/formats/bf16.hpp"
#include "model/quantize/largest_half.hpp"
#include "model/quantize/quantize.hpp"
#include "model/quantize/residual.hpp"
#include "model/quantize/sparsify.hpp"
#include "tb/bench/golden_result.hpp"
#include "tests/support/random_matrix.hpp"

namespace nibblecore::test {
namespace {

/// Values of very different size, zeros among them.
float random_value(std::mt19937& random) {
  if (random() % 8 == 0) {
    return 0.0F;
  }
  const float magnitude = std::ldexp(1.0F + static_cast<float>(random() % 1024) / 1024.0F,
                                     static_cast<int>(random() % 12) - 6);
  return random() % 2 == 0 ? magnitude : -magnitude;
}

std::vector<uint8_t> random_values(OperandPath path, int64_t count, std::mt19937& random) {
  const auto width = static_cast<size_t>(input_bytes(path));
  std::vector<uint8_t> values(static_cast<size_t>(count) * width);
  for (size_t i = 0; i < values.size(); i += width) {
    const uint32_t bits = float_bits(random_value(random));
    const uint16_t half = bf16_from_fp32(bits);
    if (path == OperandPath::kOnlineBf16) {
      std::memcpy(values.data() + i, &half, sizeof half);
    } else {
      std::memcpy(values.data() + i, &bits, sizeof bits);
    }
  }
  return values;
}

}  // namespace

RandomGemm::RandomGemm(const GemmSpec& spec, const Preset& preset, std::mt19937& random)
    : spec_(spec), preset_(preset), result_(static_cast<size_t>(spec.m * spec.n)) {
  make(spec.a, spec.m, random, a_, gemm_.a);
  make(spec.b, spec.n, random, b_, gemm_.b);
  make_residual(random);
  make_factors(spec.a_has_factors, spec.m, random, a_, gemm_.a);
  make_factors(spec.b_has_factors, spec.n, random, b_, gemm_.b);
  if (spec.start == Start::kFromMemory) {
    start_.resize(result_.size());
    for (uint32_t& bits : start_) {
      bits = float_bits(random_value(random));
    }
    gemm_.c = start_.data();
  }
  forget_result();
  gemm_.d = result_.data();
}

void RandomGemm::forget_result() { result_.assign(result_.size(), 0x7FDEAD00); }

void RandomGemm::make(OperandPath path, int64_t rows, std::mt19937& random, Operand& operand,
                      tb::CoreOperand& core) {
  if (path == OperandPath::kPacked) {
    operand.packed = random_matrix(spec_.format, rows, spec_.k, random);
    core = tb::packed_operand(operand.packed);
    return;
  }
  operand.values = random_values(path, rows * spec_.k, random);
  const ValueType type = path == OperandPath::kOnlineBf16 ? ValueType::kBf16 : ValueType::kF32;
  operand.view = {operand.values.data(), type, rows, spec_.k, spec_.k, 1};
  operand.packed = quantize(operand.view, preset_, 1);
  const Nvfp4TensorScale scale = tensor_scale(operand.view, preset_, 1);
  const bool is_a = &operand == &a_;
  core.input = &operand.view;
  core.quantizer = hw::quantizer_job(preset_, is_a ? spec_.residual : ResidualPattern::kNone,
                                     {float_bits(scale.encode), float_bits(scale.decode)});
  core.tensor_scale = operand.packed.tensor_scale;
}

void RandomGemm::make_residual(std::mt19937& random) {
  if (spec_.residual == ResidualPattern::kNone) {
    return;
  }
  const PackedMatrix dense = quantize_residual(a_.view, a_.packed, preset_, 1);
  residual_ = sparsify(dense, spec_.residual, 1);
  gemm_.a.mask = residual_mask(dense, spec_.residual, 1);
  if (spec_.residual_accumulator == ResidualAccumulator::kOwn) {
    gemm_.residual_alpha = random() % 4 == 0 ? 0.5F : random_value(random);
  }
}

void RandomGemm::make_factors(bool has_factors, int64_t rows, std::mt19937& random,
                              Operand& operand, tb::CoreOperand& core) {
  if (!has_factors) {
    return;
  }
  operand.macro.length = spec_.macro_length;
  const int64_t count = rows * ((spec_.k + spec_.macro_length - 1) / spec_.macro_length);
  for (int64_t i = 0; i < count; ++i) {
    // Subnormal ones too.
    const auto significand = static_cast<float>(1024 + random() % 1024);
    const bool subnormal = random() % 16 == 0;
    operand.macro.factors.push_back(
        subnormal ? std::ldexp(static_cast<float>(1 + random() % 1023), -24)
                  : std::ldexp(significand, static_cast<int>(random() % 8) - 14));
  }
  core.macro = &operand.macro;
}

std::vector<uint32_t> RandomGemm::golden() const {
  return tb::golden_result(spec_, gemm_, a_.packed, b_.packed, residual_);
}

}  // namespace nibblecore::test
