// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/covered_run.hpp"

#include <exception>

#include <fmt/format.h>
#include <systemc>

#include "model/machine/program_cycles.hpp"
#include "tb/bench/core_bench.hpp"
#include "tb/coverage/coverage_probe.hpp"

namespace nibblecore::tb {
namespace {

int64_t nan_units(const PackedMatrix& matrix) {
  int64_t units = 0;
  for (int64_t row = 0; row < matrix.rows; ++row) {
    for (int64_t block = 0; block < matrix.blocks(); ++block) {
      units += matrix.row_scales(row)[block * matrix.format.scale_bytes()] == 0xFF ? 1 : 0;
    }
  }
  return units;
}

/// What no bus shows.
void sample_operands(const Stimulus& stimulus, CoreCoverage& coverage) {
  const Program& program = stimulus.program();
  const GemmSpec& spec = program.spec();
  FormatPoints& points = coverage.of(spec.format);
  coverage.control().sample_program(program);
  points.residual.sample_program(program, stimulus.gemm().a.mask);
  points.store.sample_factor(stimulus.gemm().a.tensor_scale, stimulus.gemm().b.tensor_scale);
  if (spec.a != OperandPath::kPacked) {
    coverage.inputs().sample(*stimulus.gemm().a.input);
    points.quantizer->sample_nan_units(hw::QuantizerCircuit::kA, nan_units(stimulus.packed_a()));
  }
  if (spec.b != OperandPath::kPacked) {
    coverage.inputs().sample(*stimulus.gemm().b.input);
    points.quantizer->sample_nan_units(hw::QuantizerCircuit::kB, nan_units(stimulus.packed_b()));
  }
  if (spec.residual != ResidualPattern::kNone) {
    points.quantizer->sample_nan_units(hw::QuantizerCircuit::kResidual,
                                       nan_units(stimulus.dense_residual()));
  }
}

std::string failure_of(const Stimulus& stimulus, const CoveredRun& run,
                       const AccumulatorWatch& accumulator) {
  std::string text;
  if (run.comparison.first) {
    const Mismatch& first = *run.comparison.first;
    text += fmt::format("\n  {} of {} outputs differ, first ({}, {}): {:08X}, expected {:08X}",
                        run.comparison.mismatches, run.comparison.outputs, first.row, first.column,
                        first.found, first.expected);
  }
  if (accumulator.first_wrong()) {
    const WrongAddition& first = *accumulator.first_wrong();
    text +=
        fmt::format("\n  {} additions are wrong, first {:08X} + {} * 2^{}: {:08X}, expected {:08X}",
                    run.wrong_additions, first.input.before, first.input.term, first.input.exponent,
                    first.found, first.expected);
  }
  if (!run.cycles_agree) {
    text += fmt::format("\n  {} cycles, modelled {}", run.measured.total, run.modelled.total);
  }
  return text.empty() ? text : stimulus.text() + text;
}

}  // namespace

CoveredRun run_covered(const Stimulus& stimulus, const std::vector<uint32_t>& golden,
                       CoreCoverage& coverage) {
  // Every machine needs a core, and a simulation can't grow once it has run.
  sc_core::sc_curr_simcontext = nullptr;
  const Program& program = stimulus.program();
  const Pressure pressure = stimulus.refusal() > 0 ? Pressure::kRandom : Pressure::kNone;
  CoverageProbe probe("bench.core", program, stimulus.gemm(), pressure, coverage);
  ProbeBench bench("bench", program.machine(), hw::best_simd_target(), {}, hw::ProbeHooks(probe));
  if (pressure == Pressure::kRandom) {
    bench.core().throttle(stimulus.seed(), stimulus.refusal());
  }
  CoveredRun run;
  try {
    run.measured = bench.run(program, stimulus.gemm());
  } catch (const std::exception& error) {
    // A bus that is too narrow, two steps that met, a core that hangs: a failure like any other.
    // The kernel turns what a process throws into a report of its own.
    run.failure = stimulus.text() + "\n  " + error.what();
    return run;
  }
  run.modelled = program_cycles(program);
  run.comparison = compare_bits(golden, stimulus.result(), program.spec().n);
  run.wrong_additions = probe.accumulator().wrong_additions();
  run.cycles_agree = pressure == Pressure::kNone ? run.measured == run.modelled
                                                 : run.measured.total >= run.modelled.total;
  coverage.control().sample_report(run.measured);
  sample_operands(stimulus, coverage);
  run.failure = failure_of(stimulus, run, probe.accumulator());
  return run;
}

CoveredRun run_covered(const Stimulus& stimulus, CoreCoverage& coverage) {
  return run_covered(stimulus, stimulus.golden(), coverage);
}

}  // namespace nibblecore::tb
