// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/scheme/gemm_treatment.hpp"
#include "model/trace/gemm_record.hpp"
#include "model/trace/tensor_ordinals.hpp"
#include "tb/replay/replay_options.hpp"

namespace nibblecore::tb {

/// What a record's operands get: what the scheme says, or else preset, corrections and residual of
/// the options; "none" for both where the record stays unquantized.
GemmTreatment treatment_of(const ReplayOptions& options, const GemmRecord& record);

/// The same treatment with the random streams of product `batch_index` of a record: streams of one
/// seed for the tensors' ordinals, elements counted within the stored tensors.
GemmTreatment with_streams(const GemmTreatment& treatment, const GemmRecord& record,
                           const TensorOrdinals& ordinals, uint64_t seed, int64_t batch_index);

}  // namespace nibblecore::tb
