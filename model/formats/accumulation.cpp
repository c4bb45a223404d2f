// SPDX-License-Identifier: Apache-2.0
#include "model/formats/accumulation.hpp"

#include <string>

#include "model/common/error.hpp"
#include "model/formats/fp32.hpp"
#include "model/formats/named_record.hpp"

namespace nibblecore {

Accumulation accumulation(std::string_view name) {
  return find_record(kAccumulations, name, "--accumulate").accumulation;
}

std::string_view name_of(Accumulation accumulation) {
  for (const AccumulationRecord& record : kAccumulations) {
    if (record.accumulation == accumulation) {
      return record.name;
    }
  }
  return {};
}

int node_width(Accumulation accumulation, const BlockFormat& format) {
  switch (accumulation) {
    case Accumulation::kFp32Rne:
      return format.block;
    case Accumulation::kFp32Fused:
    case Accumulation::kBlackwell:
    case Accumulation::kBlackwellV1:
      return kFusedWidth;
    case Accumulation::kBlackwellMxf8f6f4:
      return 32;
    case Accumulation::kExact:
      return 0;
  }
  throw InternalError("unknown accumulation policy");
}

bool is_truncating(Accumulation accumulation) {
  return accumulation == Accumulation::kBlackwell || accumulation == Accumulation::kBlackwellV1 ||
         accumulation == Accumulation::kBlackwellMxf8f6f4;
}

uint32_t nan_of(Accumulation accumulation) {
  constexpr uint32_t all_ones = 0x7FFFFFFF;
  return is_truncating(accumulation) ? all_ones : kFp32Nan;
}

void require_format_of(Accumulation accumulation, const BlockFormat& format) {
  const bool k32 = accumulation == Accumulation::kBlackwellMxf8f6f4;
  const bool fits =
      !is_truncating(accumulation) || (format.element == ElementKind::kE2m1 &&
                                       (format.block == 32 || (format.block == 16 && !k32)) &&
                                       (format.scale == ScaleKind::kE8m0 || !k32));
  if (!fits) {
    throw InputError("--accumulate",
                     "policy '" + std::string(name_of(accumulation)) + "' takes E2M1 elements " +
                         (k32 ? "under ue8m0 in blocks of 32" : "in blocks of 16 or 32"));
  }
}

}  // namespace nibblecore
