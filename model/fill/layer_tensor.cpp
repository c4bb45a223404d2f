// SPDX-License-Identifier: Apache-2.0
#include "model/fill/layer_tensor.hpp"

#include <optional>
#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "model/common/checked.hpp"
#include "model/common/random_stream.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;

/// A phase whose values another one's are: recomputed activations are those of the first time.
std::string_view phase_of_values(std::string_view phase) {
  constexpr std::string_view kRecompute = ".recompute";
  if (phase.size() > kRecompute.size() &&
      phase.substr(phase.size() - kRecompute.size()) == kRecompute) {
    phase.remove_suffix(kRecompute.size());
  }
  return phase;
}

json::value optional_json(const std::optional<int64_t>& value) {
  return value ? json::value(*value) : json::value(nullptr);
}

/// A seed of its own for what `text` names under the run's seed.
uint64_t seed_of(uint64_t seed, std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a of 64 bits
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  }
  const PhiloxCounter words = random_words({seed, Stream::kFilledTensors, 0}, hash);
  return uint64_t{words[1]} << 32 | words[0];
}

std::string channels_identity(const GemmRecord& record, OperandSide side) {
  return json::serialize(json::array{"channels", name_of(layer_tensor(record.kind, side)),
                                     record.layer, stored_shape(record, side).columns});
}

}  // namespace

LayerTensor layer_tensor(GemmKind kind, OperandSide side) {
  if (side == OperandSide::kA) {
    return kind == GemmKind::kFprop ? LayerTensor::kX : LayerTensor::kDy;
  }
  return kind == GemmKind::kWgrad ? LayerTensor::kX : LayerTensor::kW;
}

StoredShape stored_shape(const GemmRecord& record, OperandSide side) {
  const auto [transpose_a, transpose_b] = usual_transposes(record.kind);
  if (side == OperandSide::kA) {
    return transpose_a == Transpose::kNo ? StoredShape{record.m, record.k}
                                         : StoredShape{record.k, record.m};
  }
  return transpose_b == Transpose::kYes ? StoredShape{record.n, record.k}
                                        : StoredShape{record.k, record.n};
}

std::string tensor_identity(const GemmRecord& record, OperandSide side) {
  const LayerTensor tensor = layer_tensor(record.kind, side);
  const StoredShape shape = stored_shape(record, side);
  json::array identity{name_of(tensor), record.layer, optional_json(record.expert)};
  if (tensor != LayerTensor::kW) {
    identity.push_back(json::value(phase_of_values(record.phase)));
    identity.push_back(optional_json(record.step));
    identity.push_back(optional_json(record.rank));
  }
  identity.push_back(json::array{record.batch, shape.rows, shape.columns});
  return json::serialize(identity);
}

SyntheticSpec synthetic_spec(const Fill& fill, uint64_t seed, const GemmRecord& record,
                             OperandSide side) {
  const TensorFill& tensor = fill.of(layer_tensor(record.kind, side));
  const StoredShape shape = stored_shape(record, side);
  SyntheticSpec spec;
  spec.rows = checked_multiply(record.batch, shape.rows, "rows of a filled tensor");
  spec.k = shape.columns;
  spec.law = tensor.law;
  spec.scale = tensor.scale;
  spec.outlier_rate = tensor.outlier_rate;
  spec.outlier_factor = tensor.outlier_factor;
  spec.seed = seed_of(seed, tensor_identity(record, side));
  spec.channel_seed = seed_of(seed, channels_identity(record, side));
  return spec;
}

}  // namespace nibblecore
