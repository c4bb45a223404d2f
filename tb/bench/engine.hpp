// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "model/formats/accumulation.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore::tb {

/// The three implementations of the arithmetic, written apart.
enum class Engine { kReference, kEmulator, kSystemc };

struct EngineRecord {
  std::string_view name;
  Engine engine;
};
inline constexpr std::array<EngineRecord, 3> kEngines{{{"reference", Engine::kReference},
                                                       {"emulator", Engine::kEmulator},
                                                       {"systemc", Engine::kSystemc}}};

/// The engine of this name; InputError naming the known ones otherwise.
Engine engine(std::string_view name);

/// InputError unless `engine` implements `policy`: reference and emulator have all of them, the
/// SystemC core those that it has an adder for.
void require_policy(Engine engine, Accumulation policy);

}  // namespace nibblecore::tb
