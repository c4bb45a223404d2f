// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/formats/matrix_view.hpp"
#include "model/synthetic/law.hpp"

namespace nibblecore {

/// A tensor of a linear layer y = x W^T that its three GEMMs multiply.
enum class LayerTensor {
  kX,   ///< input [tokens, in]
  kW,   ///< weights [out, in]
  kDy,  ///< gradient of the output [tokens, out]
};
inline constexpr std::array<std::string_view, 3> kLayerTensors{{"x", "w", "dy"}};

/// The name of a tensor, as options and reports have it.
constexpr std::string_view name_of(LayerTensor tensor) {
  return kLayerTensors[static_cast<size_t>(tensor)];
}

/// What one of the three is drawn from.
struct TensorFill {
  Law law = kLaws[0];
  double scale = 1;           ///< every value is multiplied by it
  double outlier_rate = 0;    ///< this share of the channels (columns), to the nearest count, ...
  double outlier_factor = 1;  ///< ... is multiplied by this too
};

/// What records without operands are filled with.
struct Fill {
  std::array<TensorFill, 3> tensors{};  ///< in the order of LayerTensor
  ValueType type = ValueType::kBf16;    ///< as training has it; FP32 values rounded to nearest even

  const TensorFill& of(LayerTensor tensor) const { return tensors[static_cast<size_t>(tensor)]; }
};

/// Reads `LAW[:SCALE]` for all three tensors, or `x=LAW[:SCALE],w=...,dy=...`, in any order, each
/// at most once; one that is left out stays gaussian. InputError at `--fill`: an unknown law or
/// tensor, a scale that is not a positive finite number.
Fill parse_fill(std::string_view laws);

/// Reads `RATE:FACTOR`, which is for x (in language models it is channels of activations that
/// persist as outliers), or `x=RATE:FACTOR,w=...,dy=...` into `fill`. InputError at
/// `--fill-outliers`: a rate outside 0 to 1, a factor that is not finite, an unknown tensor.
void parse_outliers(std::string_view outliers, Fill& fill);

/// `bf16` or `f32`; InputError at `--fill-type` otherwise.
ValueType parse_fill_type(std::string_view name);
std::string_view fill_type_name(ValueType type);

}  // namespace nibblecore
