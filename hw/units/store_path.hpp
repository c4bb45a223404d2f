// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw/datapath/hooks.hpp"
#include "hw/units/gemm_job.hpp"

namespace nibblecore::hw {

/// What the memory port sends results through.
class StoreStage {
 public:
  virtual ~StoreStage() = default;
  virtual void start(const GemmJob& job) = 0;
  /// FP32 bits as the bytes that memory gets. `residuals`: of the accumulators of a residual, or
  /// empty where it has none of its own.
  virtual void convert(const std::vector<uint32_t>& values, const std::vector<uint32_t>& residuals,
                       std::vector<uint8_t>& bytes) const = 0;
};

/// What happens to results between L0C and memory: the residual's accumulator is multiplied by the
/// job's factor and added, with one rounding; where the operands carry tensor scales, the sum is
/// multiplied by their product (NVFP4's alpha); and it may be rounded to BF16. There are as many of
/// these circuits as columns of a tile; value i of a transfer passes number i mod columns.
template <class Hooks>
class BasicStorePath final : public StoreStage {
 public:
  explicit BasicStorePath(Hooks hooks = Hooks()) : hooks_(hooks) {}

  void start(const GemmJob& job) override;
  void convert(const std::vector<uint32_t>& values, const std::vector<uint32_t>& residuals,
               std::vector<uint8_t>& bytes) const override;

 private:
  Hooks hooks_;
  int64_t columns_ = 1;
  uint32_t alpha_ = 0;
  uint32_t residual_alpha_ = 0;
  uint32_t nan_ = 0;
  OutputWidth width_ = OutputWidth::kFp32;
};

extern template class BasicStorePath<NoHooks>;
extern template class BasicStorePath<ProbeHooks>;

using StorePath = BasicStorePath<NoHooks>;

}  // namespace nibblecore::hw
