// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/core_coverage.hpp"

#include "model/common/error.hpp"

namespace nibblecore::tb {

FormatPoints::FormatPoints(const BlockFormat& watched, Coverage& coverage)
    : format(watched),
      scales(watched, coverage),
      dense(watched, ArrayPoints::Lanes::kDense, coverage),
      sparse(watched, ArrayPoints::Lanes::kTwoOfFour, coverage),
      accumulator(watched, coverage),
      residual(watched, coverage),
      quantizer(quantizer_points(watched, coverage)),
      store(watched, coverage) {}

CoreCoverage::CoreCoverage(const std::vector<BlockFormat>& formats)
    : control_(coverage_), inputs_(coverage_) {
  for (const BlockFormat& format : formats) {
    formats_.push_back(std::make_unique<FormatPoints>(format, coverage_));
  }
}

FormatPoints& CoreCoverage::of(const BlockFormat& format) {
  for (const std::unique_ptr<FormatPoints>& points : formats_) {
    if (points->format.name == format.name) {
      return *points;
    }
  }
  throw InternalError("coverage: format " + std::string(format.name) + " is not watched");
}

}  // namespace nibblecore::tb
