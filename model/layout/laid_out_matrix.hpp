// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/formats/packed_matrix.hpp"
#include "model/layout/layout.hpp"
#include "model/layout/layout_tensors.hpp"

namespace nibblecore {

/// A quantized matrix [rows, k] in a layout. Codes of a tail fill whole blocks, as in PackedMatrix.
struct LaidOutMatrix {
  const Layout* layout = nullptr;
  BlockFormat format{};
  int64_t rows = 0;
  int64_t k = 0;
  float tensor_scale = 1.0F;
  std::vector<LayoutTensor> tensors;  ///< as layout_tensors gives them
};

/// `packed` in `layout`; what pads tiles is zero. InputError at `place` where the layout is of
/// other formats, k does not divide into its records, or a size leaves 64 bits.
LaidOutMatrix lay_out(PackedMatrix packed, const Layout& layout, const std::string& place);

/// The way back: the same codes, scales and tensor scale in every bit; what pads tiles is not read.
/// InputError at `place` as above, and where the tensors' names, shapes or sizes are not those of
/// the layout or a code is above 15.
PackedMatrix packed_matrix(const LaidOutMatrix& matrix, const std::string& place);

}  // namespace nibblecore
