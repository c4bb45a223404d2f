// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzz_reader.hpp"

#include "tests/fuzz/readers.hpp"

namespace nibblecore {

const std::vector<FuzzReader>& fuzz_readers() {
  static const std::vector<FuzzReader> readers{
      {"energy", fuzz_energy, {"model/machine/energy"}},
      {"execution_trace", fuzz_execution_trace, {}},
      {"filter", fuzz_filter, {}},
      {"gemm_csv", fuzz_gemm_csv, {}},
      {"journal", fuzz_journal, {}},
      {"kineto", fuzz_kineto, {}},
      {"machine", fuzz_machine, {"model/machine/machines"}},
      {"manifest", fuzz_manifest, {}},
      {"model_config", fuzz_model_config, {}},
      {"recipe", fuzz_recipe, {"model/workload/recipes"}},
      {"safetensors", fuzz_safetensors, {}},
      {"scheme", fuzz_scheme, {"model/scheme/schemes"}},
  };
  return readers;
}

}  // namespace nibblecore
