// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "model/machine/core_description.hpp"
#include "model/machine/rate.hpp"

namespace nibblecore {

/// A machine of 4-bit tensor cores: `cores` equal cores, each with a static share of the memory.
/// Operands stream memory -> L1 -> L0A, L0B -> array -> L0C -> memory; every buffer is double.
/// All latencies are in cycles and added to the end of what they belong to; sizes are in bytes.
struct Machine {
  std::string name;
  int cores;
  int64_t clock_hertz;
  CoreDescription core;
  int64_t accumulate_latency;  ///< of one addition on one accumulator, at least 1

  int64_t l1_bytes;   ///< both halves of both operands
  int64_t l0a_bytes;  ///< both halves
  int64_t l0b_bytes;
  int64_t l0c_bytes;

  Rate memory;  ///< of one core: the machine's bandwidth divided by `cores`
  int64_t memory_latency;
  Rate l1_to_l0a;
  Rate l1_to_l0b;
  int64_t l1_latency;

  int64_t quantizer_values_per_cycle;
  int64_t quantizer_latency;  ///< from a block's entry to its packed form
  int64_t residual_latency;   ///< added to it where the residual is quantized too

  int64_t bf16_macs_per_cycle;  ///< of one core, for GEMMs that stay unquantized
};

/// InputError naming the field that is not usable: a rate, size or count below its least value.
void require_valid(const Machine& machine);

}  // namespace nibblecore
