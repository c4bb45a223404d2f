// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "model/analysis/decomposition.hpp"
#include "model/analysis/tensor_statistics.hpp"
#include "model/formats/preset.hpp"

namespace nibblecore::tb {

struct DecomposeOptions {
  std::filesystem::path input;  ///< a safetensors file
  Preset preset;
  int64_t axis = -1;   ///< of the blocks, in every tensor; from the end where negative
  std::string filter;  ///< ECMAScript regular expression found anywhere in a name; empty takes all
  uint64_t seed = 1;   ///< of stochastic rounding; a tensor's ordinal is its place in the file
  int threads = 0;     ///< 0: one per processor
};

/// A tensor, or several taken together.
struct DecomposedValues {
  std::string name;
  int64_t tensors = 0;
  Decomposition decomposition;
  TensorStatistics statistics;

  void add(const DecomposedValues& other);
};

struct DecomposeResult {
  std::vector<DecomposedValues> tensors;  ///< in the order of the file
  std::vector<DecomposedValues> kinds;    ///< by layer kind, in the order of the first tensor
  DecomposedValues total;
};

/// Decomposes the F32 and BF16 tensors of a file that the filter takes; those of integers are left
/// out with a note on standard error. InputError for a file, a type, an axis or a regular
/// expression that won't do, and where the filter takes no tensor.
DecomposeResult run_decompose(const DecomposeOptions& options);

}  // namespace nibblecore::tb
