// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/gemms_csv.hpp"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "tb/replay/report_text.hpp"
#include "tb/replay/share.hpp"

namespace nibblecore::tb {
namespace {

std::string csv_ratio(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.6f}", *ratio) : std::string();
}

std::string csv_line(const Machine& machine, const GemmResult& gemm) {
  const GemmRecord& record = gemm.record;
  const Measures& sum = gemm.measures;
  const auto ratio = sum.signal_to_noise.decibels();
  const UnitCycles& array = sum.cycles[Unit::kArray];
  const std::string shape =
      fmt::format("{},{},{},{},{},{},{},{},{},{},{}", record.id, csv_field(record.phase),
                  name_of(record.kind), csv_field(record.layer), record.m, record.n, record.k,
                  record.count, record.batch, gemm.is_simulated(), gemm.has_residual);
  const std::string cycles = fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{:.6f}", sum.macs, sum.steps, sum.total_cycles(),
      sum.bf16_cycles, array.busy, array.stalled(), array.idle, sum.cycles[Unit::kMemoryPort].busy,
      sum.cycles.loaded_bytes, sum.cycles.stored_bytes, sum.utilisation(machine));
  const std::string values = fmt::format(
      "{},{},{},{},{},{},{},{:.6f},{:.6f},{:.6f},{:.6f}", sum.outputs, sum.compared, sum.mismatches,
      sum.emulator_mismatches, ratio ? fmt::format("{:.6f}", *ratio) : "", sum.qdq_ulp.max(),
      sum.qdq_ulp.nan_mismatches(), share(sum.a.underflows, sum.a.non_zero),
      share(sum.a.saturations, sum.a.non_zero), share(sum.b.underflows, sum.b.non_zero),
      share(sum.b.saturations, sum.b.non_zero));
  const std::string agreement =
      fmt::format("{},{},{},{},{},{},{},{}", name_of(gemm.multiplication),
                  csv_ratio(sum.a.agreement.gain()), csv_ratio(sum.a.agreement.cosine()),
                  csv_ratio(sum.b.agreement.gain()), csv_ratio(sum.b.agreement.cosine()),
                  csv_ratio(sum.output.gain()), csv_ratio(sum.output.cosine()), gemm.values());
  return shape + "," + cycles + "," + values + "," + agreement + "\n";
}

}  // namespace

void write_gemms_csv(std::ostream& out, const ReplayOptions& options, const ReplayResult& result) {
  out << "id,phase,gemm,layer,m,n,k,count,batch,quantized,residual,macs,steps,cycles,bf16_cycles,"
         "array_busy,array_stalled,array_idle,port_busy,loaded_bytes,stored_bytes,utilisation,"
         "outputs,compared,mismatches,emulator_mismatches,snr_db,qdq_ulp_max,qdq_nan_mismatches,"
         "a_underflow,a_saturation,b_underflow,b_saturation,multiplied_as,a_gain,a_cosine,b_gain,"
         "b_cosine,gain,cosine,values\n";
  for (const GemmResult& gemm : result.gemms) {
    out << csv_line(options.machine.machine, gemm);
  }
}

}  // namespace nibblecore::tb
