// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/scale_sweep_run.hpp"

#include <algorithm>
#include <optional>

#include "model/common/error.hpp"
#include "model/quantize/quantize.hpp"
#include "tb/replay/progress.hpp"
#include "tb/sweep/sweep_operands.hpp"
#include "tb/sweep/tensor_inputs.hpp"

namespace nibblecore::tb {
namespace {

/// The input's matrices, which live as long as this.
class ScaleSweepInput {
 public:
  explicit ScaleSweepInput(const SweepOptions& options) {
    if (std::filesystem::is_directory(options.input)) {
      trace_.emplace(options.input);
      trace_->validate();
      operands_ = sweep_operands(*trace_, options.filter);
      return;
    }
    file_.emplace(options.input);
    for (const TensorInput& tensor : tensor_inputs(*file_, options.filter).inputs) {
      operands_.push_back({tensor.name, tensor.kind, tensor.view});
    }
  }

  const std::vector<SweepOperand>& operands() const { return operands_; }

 private:
  std::optional<Trace> trace_;
  std::optional<SafetensorsFile> file_;
  std::vector<SweepOperand> operands_;
};

BlockFormat format_of(const std::vector<std::string>& names) {
  if (names.size() > 1) {
    throw InputError("--formats", "--scale-bits takes one, for its block length");
  }
  const BlockFormat& format = block_format(names.empty() ? kMxfp4.name : names.front());
  if (format.element != ElementKind::kE2m1) {
    throw InputError("--formats", "--scale-bits is about scales of E2M1 blocks; " +
                                      std::string(format.name) + " has none");
  }
  return format;
}

ScaleSweepValues& group_of(const std::string& name, std::vector<ScaleSweepValues>& groups) {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const ScaleSweepValues& group) {
    return group.name == name;
  });
  return found != groups.end() ? *found : groups.emplace_back(ScaleSweepValues{name, {}});
}

std::vector<ScaleErrorSums> errors_of(const SweepOperand& operand, int block,
                                      const std::vector<ScaleChoice>& choices, int threads) {
  SweepInput input;
  input.source = view_rows(operand.view);
  input.rows = operand.view.rows;
  input.k = operand.view.k;
  input.block = block;
  try {
    return sweep_scales(input, choices, threads);
  } catch (const InputError& error) {
    throw InputError("tensor '" + operand.name + "'", error.what());
  }
}

}  // namespace

void ScaleSweepValues::add(const std::vector<ScaleErrorSums>& others) {
  sums.resize(others.size());
  for (size_t i = 0; i < others.size(); ++i) {
    sums[i] += others[i];
  }
}

ScaleSweepResult run_scale_sweep(const SweepOptions& options,
                                 const std::vector<NamedScale>& scales) {
  ScaleSweepResult result;
  result.format = format_of(options.axes.formats);
  result.scales = scales;
  result.total.name = "total";
  const ScaleSweepInput input(options);
  std::vector<ScaleChoice> choices;
  choices.reserve(scales.size());
  for (const NamedScale& scale : scales) {
    choices.push_back(scale.choice);
  }
  Progress progress("tensors", static_cast<int64_t>(input.operands().size()));
  for (const SweepOperand& operand : input.operands()) {
    const std::vector<ScaleErrorSums> sums =
        errors_of(operand, result.format.block, choices, options.threads);
    result.tensors.push_back({operand.name, sums});
    group_of(operand.group, result.groups).add(sums);
    result.total.add(sums);
    progress.advance(1);
  }
  progress.finish();
  return result;
}

}  // namespace nibblecore::tb
