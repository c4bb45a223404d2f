// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace nibblecore::tb {

/// What a tensor's layer is, by its name: the last of the words between dots, without a phase in
/// front (up to the last '/') and without a last word that names the tensor's part in the layer
/// (weight, bias, x, y, w, dx, dy, dw, gx, gy, gw). "train/layers.3.mlp.down_proj.gy" is
/// "down_proj", "lm_head.weight" is "lm_head", "weight" is "weight".
std::string layer_kind(std::string_view name);

}  // namespace nibblecore::tb
