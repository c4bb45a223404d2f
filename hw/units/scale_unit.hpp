// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/channel/payload.hpp"
#include "hw/channel/ready_valid.hpp"
#include "hw/datapath/scale_factor.hpp"
#include "hw/datapath/scale_multiplier.hpp"
#include "hw/units/clocked_unit.hpp"
#include "hw/units/gemm_job.hpp"

namespace nibblecore::hw {

/// The scale multiplier, and that of macro blocks' factors, as a pipeline stage beside the
/// dot-product array: one step a cycle.
template <class Hooks>
class BasicScaleUnit final : public ClockedUnit {
 public:
  sc_core::sc_port<ReadyValidIn<ScaleSlice>> a_scales{"a_scales"};
  sc_core::sc_port<ReadyValidIn<ScaleSlice>> b_scales{"b_scales"};
  sc_core::sc_port<ReadyValidOut<ScaleProducts>> products{"products"};

  BasicScaleUnit(const sc_core::sc_module_name& name, const CoreDescription& core,
                 SimdTarget target, Hooks hooks = Hooks());

  void start(const GemmJob& job) {
    format_ = job.format();
    has_factors_ = job.spec().macro_length > 0;
  }
  void trace(sc_core::sc_trace_file* file) const override;

 private:
  void tick() override;
  void reset() override;

  Hooks hooks_;
  BasicScaleMultiplier<Hooks> multiplier_;
  CoreDescription core_;
  BlockFormat format_{};
  bool has_factors_ = false;
  ScaleFactor lane0_{};  ///< of output (0, 0), block 0: for traces
};

extern template class BasicScaleUnit<NoHooks>;
extern template class BasicScaleUnit<ProbeHooks>;

using ScaleUnit = BasicScaleUnit<NoHooks>;

}  // namespace nibblecore::hw
