// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/engine.hpp"

#include <string>

#include "model/common/error.hpp"
#include "model/formats/named_record.hpp"

namespace nibblecore::tb {

Engine engine(std::string_view name) { return find_record(kEngines, name, "--engine").engine; }

void require_policy(Engine engine, Accumulation policy) {
  if (engine == Engine::kReference || policy == Accumulation::kFp32Rne) {
    return;
  }
  throw InputError("--accumulate",
                   "policy '" + std::string(name_of(policy)) +
                       "' is computed by the engine "
                       "'reference' only; emulator and SystemC core implement fp32-rne");
}

}  // namespace nibblecore::tb
