// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/tensor_sweep.hpp"

#include "model/common/error.hpp"
#include "tb/sweep/sweep_points.hpp"
#include "tb/sweep/tensor_accuracy.hpp"

namespace nibblecore::tb {
namespace {

void add(const SweepPart& tensor, SweepPart& sum) {
  const bool is_first = sum.items == 0;
  sum.items += tensor.items;
  sum.noise += tensor.noise;
  sum.agreement += tensor.agreement;
  sum.a += tensor.a;
  if (is_first) {
    sum.decomposition = tensor.decomposition;
  } else if (sum.decomposition && tensor.decomposition) {
    *sum.decomposition += *tensor.decomposition;
  }
}

/// `place` in front of what an InputError says of one tensor.
template <typename Action>
auto with_name(const std::string& name, const Action& action) {
  try {
    return action();
  } catch (const InputError& error) {
    throw InputError("tensor '" + name + "'", error.what());
  }
}

SweepRow row_of(const TensorInputs& tensors, const GridPoint& point, const ReplayOptions& options) {
  const TensorOrdinals ordinals(tensors.records);
  SweepRow row;
  row.point = point;
  for (const TensorInput& input : tensors.inputs) {
    const SweepPart tensor = with_name(
        input.name, [&] { return tensor_accuracy(options, input, ordinals, row.storage.a); });
    add(tensor, row.total);
    add(tensor, part_of(row.parts, tensor.name));
  }
  return row;
}

}  // namespace

SweepResult sweep_tensors(const SweepOptions& options) {
  if (!options.axes.schemes.empty()) {
    throw InputError("--schemes", "say what the GEMMs of a trace get; tensors alone have none");
  }
  const std::vector<GridPoint> points = grid_points(options.axes);
  const SafetensorsFile file(options.input);
  const TensorInputs tensors = tensor_inputs(file, options.filter);
  ReplayOptions base;
  base.fidelity = Fidelity::kNumeric;
  base.residual.scope = ResidualScope::kAll;
  base.seed = options.seed;
  base.threads = options.threads;
  return sweep_points(SweepInputKind::kTensors, points, [&](const GridPoint& point) {
    return row_of(tensors, point, with_point(base, point));
  });
}

}  // namespace nibblecore::tb
