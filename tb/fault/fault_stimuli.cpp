// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/fault_stimuli.hpp"

#include "model/common/error.hpp"
#include "tb/fault/hif4_quantizer_stimuli.hpp"
#include "tb/fault/mxfp4_quantizer_stimuli.hpp"

namespace nibblecore::tb {

FaultStimuli make_stimuli(const BlockFormat& format, uint64_t seed, Accumulation accumulation) {
  FaultStimuli stimuli;
  if (accumulation != Accumulation::kFp32Rne) {
    add_node_stimuli(format, seed, stimuli);
    return stimuli;
  }
  add_random_stimuli(format, seed, stimuli);
  add_adder_stimuli(format, seed, stimuli);
  add_fma_stimuli(format, seed, stimuli);
  add_epilogue_stimuli(format, seed, stimuli);
  switch (format.scale) {
    case ScaleKind::kE8m0:
      add_mxfp4_quantizer_stimuli(seed, stimuli);
      return stimuli;
    case ScaleKind::kHif4:
      add_hif4_quantizer_stimuli(seed, stimuli);
      return stimuli;
    case ScaleKind::kUe4m3:
      break;
  }
  throw InternalError("faults are looked for in MXFP4 and HiF4 only");
}

}  // namespace nibblecore::tb
