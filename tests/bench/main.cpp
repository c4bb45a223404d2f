// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include <CLI/CLI.hpp>
#include <systemc>

#include "tests/bench/core_bench.hpp"
#include "tests/bench/decompose_bench.hpp"
#include "tests/bench/whole_gemm.hpp"

namespace {

int run(int argc, char** argv) {
  CLI::App app("Speed of Nibblecore's SystemC core, against limits measured in the same run",
               "nibblecore_bench");
  std::string json;
  int repetitions = 7;
  app.add_option("--json", json, "Write the rows to this file as well");
  app.add_option("--repetitions", repetitions, "Measurements behind each median")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  std::vector<nibblecore::bench::BenchmarkRow> rows = nibblecore::bench::measure_core(repetitions);
  for (const nibblecore::bench::BenchmarkRow& row : nibblecore::bench::measure_whole_gemm()) {
    rows.push_back(row);
  }
  for (const nibblecore::bench::BenchmarkRow& row :
       nibblecore::bench::measure_decomposition(repetitions)) {
    rows.push_back(row);
  }
  nibblecore::bench::print_rows(rows);
  if (!json.empty()) {
    nibblecore::bench::write_rows(rows, json);
  }
  return 0;
}

}  // namespace

int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nibblecore_bench: %s\n", error.what());
    return 1;
  }
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
