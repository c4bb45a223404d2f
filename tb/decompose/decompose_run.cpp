// SPDX-License-Identifier: Apache-2.0
#include "tb/decompose/decompose_run.hpp"

#include <algorithm>

#include "model/analysis/decompose.hpp"
#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"
#include "model/trace/safetensors_reader.hpp"
#include "tb/decompose/float_tensor.hpp"
#include "tb/decompose/layer_kind.hpp"
#include "tb/decompose/name_filter.hpp"
#include "tb/replay/progress.hpp"

namespace nibblecore::tb {
namespace {

struct Input {
  std::string name;
  BlockedRows rows;
  uint32_t ordinal;  ///< among all tensors of the file, whatever the filter leaves out
};

std::vector<Input> inputs_of(const SafetensorsFile& file, const DecomposeOptions& options) {
  const NameFilter filter(options.filter);
  std::vector<Input> inputs;
  bool any_matches = false;
  uint32_t next_ordinal = 0;
  for (const Tensor& tensor : file.tensors()) {
    const uint32_t ordinal = next_ordinal++;
    if (!filter.matches(tensor.name)) {
      continue;
    }
    any_matches = true;
    const std::string place = tensor_place(file, tensor);
    if (const auto type = float_type(tensor, place)) {
      inputs.push_back({tensor.name,
                        blocked_rows(tensor.data, *type, tensor.shape, options.axis, place),
                        ordinal});
    }
  }
  if (!any_matches && !options.filter.empty()) {
    throw InputError("--filter",
                     "no tensor of " + file.path() + " matches " + in_quotes(options.filter));
  }
  return inputs;
}

void add_to_kind(const DecomposedValues& tensor, std::vector<DecomposedValues>& kinds) {
  const std::string kind = layer_kind(tensor.name);
  auto found = std::find_if(kinds.begin(), kinds.end(),
                            [&](const DecomposedValues& each) { return each.name == kind; });
  if (found == kinds.end()) {
    found = kinds.insert(kinds.end(), DecomposedValues{kind, 0, {}, {}});
  }
  found->add(tensor);
}

}  // namespace

void DecomposedValues::add(const DecomposedValues& other) {
  tensors += other.tensors;
  decomposition += other.decomposition;
  statistics += other.statistics;
}

DecomposeResult run_decompose(const DecomposeOptions& options) {
  const SafetensorsFile file(options.input);
  const std::vector<Input> inputs = inputs_of(file, options);
  int64_t elements = 0;
  for (const Input& input : inputs) {
    elements += input.rows.rows() * input.rows.k();
  }
  DecomposeResult result;
  result.total.name = "total";
  Progress progress("elements", elements);
  for (const Input& input : inputs) {
    const RandomStream random{options.seed, Stream::kStochasticRounding, input.ordinal};
    result.tensors.push_back({input.name, 1,
                              decompose(input.rows, options.preset, options.threads, random),
                              tensor_statistics(input.rows, options.threads)});
    add_to_kind(result.tensors.back(), result.kinds);
    result.total.add(result.tensors.back());
    progress.advance(input.rows.rows() * input.rows.k());
  }
  progress.finish();
  return result;
}

}  // namespace nibblecore::tb
