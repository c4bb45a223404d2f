// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/engine.hpp"

#include <string>

#include "model/common/error.hpp"
#include "model/formats/named_record.hpp"
#include "model/machine/gemm_spec.hpp"

namespace nibblecore::tb {
namespace {

/// The policies that the core has an adder for, in words.
std::string adder_names() {
  std::string names;
  for (const AccumulationRecord& record : kAccumulations) {
    if (has_adder(record.accumulation)) {
      names += (names.empty() ? "" : ", ") + std::string(record.name);
    }
  }
  return names;
}

}  // namespace

Engine engine(std::string_view name) { return find_record(kEngines, name, "--engine").engine; }

void require_policy(Engine engine, Accumulation policy) {
  if (engine != Engine::kSystemc || has_adder(policy)) {
    return;
  }
  throw InputError("--accumulate",
                   "policy '" + std::string(name_of(policy)) +
                       "' has no circuit in the SystemC core, which implements " + adder_names() +
                       "; the engines 'reference' and 'emulator' have every policy");
}

}  // namespace nibblecore::tb
