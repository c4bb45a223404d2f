// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/quantizer_points.hpp"

#include "model/common/error.hpp"
#include "tb/coverage/hif4_quantizer_points.hpp"
#include "tb/coverage/mxfp4_quantizer_points.hpp"
#include "tb/coverage/nvfp4_quantizer_points.hpp"

namespace nibblecore::tb {

std::string quantizer_group(const BlockFormat& format) {
  return std::string(format.name) + " quantizer";
}

std::unique_ptr<QuantizerPoints> quantizer_points(const BlockFormat& format, Coverage& coverage) {
  switch (format.scale) {
    case ScaleKind::kE8m0:
      return std::make_unique<Mxfp4QuantizerPoints>(coverage);
    case ScaleKind::kHif4:
      return std::make_unique<Hif4QuantizerPoints>(coverage);
    case ScaleKind::kUe4m3:
      return std::make_unique<Nvfp4QuantizerPoints>(coverage);
  }
  throw InternalError("unknown kind of scale");
}

CircuitPoint::CircuitPoint(const BlockFormat& format, Coverage& coverage)
    : blocks_(
          coverage.add(quantizer_group(format), "circuit, block",
                       bins_of(cross({"A", "residual of A", "B"}, {"zero", "ordinary", "NaN"})))) {}

void CircuitPoint::sample(const QuantizedSample& block, bool nan) {
  if (nan) {
    return sample_nan(block.circuit, 1);
  }
  blocks_.hit(static_cast<size_t>(block.circuit) * 3 + (block.maximum == 0 ? 0 : 1));
}

void CircuitPoint::sample_nan(hw::QuantizerCircuit circuit, int64_t blocks) {
  blocks_.hit(static_cast<size_t>(circuit) * 3 + 2, blocks);
}

}  // namespace nibblecore::tb
