// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <regex>
#include <string>
#include <vector>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <systemc>

#include "tests/bench/core_bench.hpp"
#include "tests/bench/decompose_bench.hpp"
#include "tests/bench/gemm_bench.hpp"
#include "tests/bench/quantizer_bench.hpp"
#include "tests/bench/scaling_bench.hpp"
#include "tests/bench/sgemm_peer.hpp"
#include "tests/bench/whole_gemm.hpp"

namespace {

using nibblecore::bench::BenchmarkRow;

/// Some rows that are measured together.
struct Group {
  const char* name;
  std::function<std::vector<BenchmarkRow>(int repetitions)> measure;
};

std::vector<Group> groups() {
  using namespace nibblecore::bench;  // NOLINT(google-build-using-namespace): the list is of these
  return {{"core", measure_core},
          {"whole", [](int) { return measure_whole_gemm(); }},
          {"decompose", measure_decomposition},
          {"gemm", measure_gemms},
          {"quantize", measure_quantizers},
          {"scaling", measure_scaling},
          {"memory", [](int) { return measure_memory(); }}};
}

int run(int argc, char** argv) {
  CLI::App app("Speed of Nibblecore, against peers and limits measured in the same run",
               "nibblecore_bench");
  std::string json;
  std::string only = ".*";
  int repetitions = 7;
  int64_t sgemm_child = -1;
  int64_t memory_child = -1;
  app.add_option("--json", json, "Write the rows to this file as well");
  app.add_option("--only", only,
                 "Groups whose names match this expression: core, whole, decompose, gemm, "
                 "quantize, scaling, memory");
  app.add_option("--repetitions", repetitions, "Measurements behind each median")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--sgemm-child", sgemm_child)->group("");
  app.add_option("--memory-child", memory_child)->group("");
  CLI11_PARSE(app, argc, argv);
  if (sgemm_child >= 0) {
    return nibblecore::bench::run_sgemm_child(sgemm_child);
  }
  if (memory_child >= 0) {
    return nibblecore::bench::run_memory_child(memory_child);
  }
  const std::regex pattern(only);
  std::vector<BenchmarkRow> rows;
  for (const Group& group : groups()) {
    if (!std::regex_match(group.name, pattern)) {
      continue;
    }
    if (isatty(STDERR_FILENO) != 0) {
      std::fprintf(stderr, "%s ...\n", group.name);
    }
    for (const BenchmarkRow& row : group.measure(repetitions)) {
      rows.push_back(row);
    }
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
