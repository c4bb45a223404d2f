// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "hw/datapath/block_quantizer.hpp"
#include "model/formats/block_format.hpp"
#include "tb/coverage/coverage.hpp"
#include "tb/coverage/quantized_sample.hpp"

namespace nibblecore::tb {

/// What the online quantizers of one format do. Made by quantizer_points().
class QuantizerPoints {
 public:
  virtual ~QuantizerPoints() = default;

  /// One block at one of the core's quantizer circuits, which did this job.
  virtual void sample(const QuantizedSample& block, const hw::QuantizerJob& job) = 0;

  /// HiF4: units that are NaN. No bus shows them: the circuit goes on with zeros for what is not
  /// finite, and puts NaN in place of the finished scale.
  virtual void sample_nan_units(hw::QuantizerCircuit /*circuit*/, int64_t /*units*/) {}
};

std::unique_ptr<QuantizerPoints> quantizer_points(const BlockFormat& format, Coverage& coverage);

/// Which circuit takes in which kind of block: A's, that of its residual, B's. Part of every
/// format's group.
class CircuitPoint {
 public:
  CircuitPoint(const BlockFormat& format, Coverage& coverage);

  void sample(const QuantizedSample& block, bool nan);
  void sample_nan(hw::QuantizerCircuit circuit, int64_t blocks);

 private:
  CoverPoint& blocks_;
};

/// The group that these points belong to.
std::string quantizer_group(const BlockFormat& format);

}  // namespace nibblecore::tb
