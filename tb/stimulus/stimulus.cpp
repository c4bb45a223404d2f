// SPDX-License-Identifier: Apache-2.0
#include "tb/stimulus/stimulus.hpp"

#include <fmt/format.h>

#include "hw/datapath/quantizer_job.hpp"
#include "model/common/bits.hpp"
#include "model/quantize/largest_half.hpp"
#include "model/quantize/quantize.hpp"
#include "model/quantize/residual.hpp"
#include "model/quantize/sparsify.hpp"
#include "tb/bench/golden_result.hpp"
#include "tb/stimulus/online_operand.hpp"
#include "tb/stimulus/packed_operand.hpp"
#include "tb/stimulus/start_values.hpp"

namespace nibblecore::tb {
namespace {

/// No result has it: NaN is always 0x7FC00000. An output never written shows.
constexpr uint32_t kNeverWritten = 0x7FDEAD00;

constexpr int kOneThread = 1;

}  // namespace

Stimulus::Stimulus(uint32_t seed, const StimulusConstraints& constraints)
    : seed_(seed),
      constraints_(constraints),
      dice_(seed),
      schedule_(random_schedule(dice_, constraints)),
      program_(schedule_.program()),
      preset_(random_preset(dice_, schedule_.spec.format)),
      theme_(random_theme(dice_, constraints, schedule_.spec.format)) {
  const GemmSpec& spec = schedule_.spec;
  if (dice_.chance(constraints.pressure)) {
    refusal_ = constraints.most_refused * static_cast<double>(dice_.between(1, 100)) / 100;
  }
  make_operand(spec.a, spec.m, a_, gemm_.a);
  make_operand(spec.b, spec.n, b_, gemm_.b);
  make_residual();
  make_start_values();
  result_.assign(static_cast<size_t>(spec.m * spec.n), kNeverWritten);
  gemm_.d = result_.data();
}

void Stimulus::make_operand(OperandPath path, int64_t rows, Operand& operand, CoreOperand& core) {
  const GemmSpec& spec = schedule_.spec;
  if (path == OperandPath::kPacked) {
    operand.packed = random_packed(dice_, constraints_, theme_, spec.format, rows, spec.k);
    core = packed_operand(operand.packed);
    return;
  }
  operand.values = random_online(dice_, constraints_, theme_, preset_, path, rows, spec.k);
  const ValueType type = path == OperandPath::kOnlineBf16 ? ValueType::kBf16 : ValueType::kF32;
  operand.view = {operand.values.data(), type, rows, spec.k, spec.k, 1};
  operand.packed = quantize(operand.view, preset_, kOneThread);
  const Nvfp4TensorScale scale = tensor_scale(operand.view, preset_, kOneThread);
  const bool is_a = &operand == &a_;
  core.input = &operand.view;
  core.quantizer = hw::quantizer_job(preset_, is_a ? spec.residual : ResidualPattern::kNone,
                                     {float_bits(scale.encode), float_bits(scale.decode)});
  core.tensor_scale = operand.packed.tensor_scale;
}

void Stimulus::make_residual() {
  const ResidualPattern pattern = schedule_.spec.residual;
  if (pattern == ResidualPattern::kNone) {
    return;
  }
  dense_residual_ = quantize_residual(a_.view, a_.packed, preset_, kOneThread);
  residual_ = sparsify(dense_residual_, pattern, kOneThread);
  gemm_.a.mask = residual_mask(dense_residual_, pattern, kOneThread);
}

void Stimulus::make_start_values() {
  const GemmSpec& spec = schedule_.spec;
  if (spec.start == Start::kZero) {
    return;
  }
  std::vector<double> styles = constraints_.start_styles;
  if (theme_.nan) {
    styles.at(static_cast<size_t>(StartStyle::kSpecial)) *= 5;
  }
  for (int64_t row = 0; row < spec.m; ++row) {
    for (int64_t column = 0; column < spec.n; ++column) {
      start_.push_back(random_start(dice_, styles, first_term(a_.packed, row, b_.packed, column)));
    }
  }
  gemm_.c = start_.data();
}

std::vector<uint32_t> Stimulus::golden() const {
  return golden_result(schedule_.spec, gemm_, a_.packed, b_.packed, residual_);
}

std::string Stimulus::text() const {
  return fmt::format("seed {}: {}, preset {}, refusal {:.2f}", seed_, schedule_.text(),
                     preset_.name, refusal_);
}

}  // namespace nibblecore::tb
