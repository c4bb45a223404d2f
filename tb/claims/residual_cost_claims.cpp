// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "model/machine/machine_file.hpp"
#include "model/machine/program_cycles.hpp"
#include "model/machine/tiler.hpp"
#include "tb/claims/claims.hpp"

namespace nibblecore::tb {
namespace {

constexpr int64_t kSide = 4096;

/// How many times faster than the machine's BF16 units at their full rate.
double speed_up(const Machine& machine, ResidualPattern residual) {
  GemmSpec spec{kSide, kSide, kSide, kMxfp4};
  spec.a = OperandPath::kOnlineBf16;
  spec.residual = residual;
  const int64_t cycles = program_cycles(choose_program(machine, spec)).total;
  const double bf16_cycles =
      static_cast<double>(kSide) * kSide * kSide / static_cast<double>(machine.bf16_macs_per_cycle);
  return bf16_cycles / static_cast<double>(cycles);
}

}  // namespace

// A model against a count of operations: no run on a chip is published.
std::vector<Claim> residual_cost_claims(const ClaimInputs&) {
  const Machine& machine = load_machine("core16x16x64").machine;
  struct Row {
    const char* text;
    const char* published;
    double value;
    double last_digit;
    ResidualPattern residual;
  };
  constexpr std::array<Row, 3> kRows{
      {{"without a residual", "4", 4, 0.01, ResidualPattern::kNone},
       {"with a 2:4 residual", "2.67", 2.67, 0.01, ResidualPattern::kTwoOfFour},
       {"with a dense residual", "2", 2, 0.01, ResidualPattern::kDense}}};
  // The published count leaves out operands, quantizer and stores: a twentieth is granted them.
  constexpr double kGranted = 0.05;
  Claim claim{16,
              "Speed over BF16 with a residual: a count of multiply-accumulates",
              "arXiv 2607.26515",
              {}};
  for (const Row& row : kRows) {
    claim.statements.push_back({row.text,
                                row.published,
                                rounds_to(row.value, row.last_digit),
                                std::nullopt,
                                Quantifier::kEvery,
                                kGranted * row.value,
                                {{"4096^3 on core16x16x64", "BF16 cycles / cycles",
                                  speed_up(machine, row.residual), FigureRole::kDecides}}});
  }
  return {claim};
}

}  // namespace nibblecore::tb
