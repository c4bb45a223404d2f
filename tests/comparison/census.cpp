// SPDX-License-Identifier: Apache-2.0
#include "tests/comparison/census.hpp"

namespace nibblecore::comparison {

void Census::count(uint32_t golden, uint8_t truncation) {
  const uint32_t magnitude = golden & 0x7FFFFFFF;
  ++outputs;
  nan += magnitude > 0x7F800000 ? 1 : 0;
  infinite += magnitude == 0x7F800000 ? 1 : 0;
  subnormal += magnitude != 0 && magnitude < 0x00800000 ? 1 : 0;
  plus_zero += golden == 0 ? 1 : 0;
  minus_zero += golden == 0x80000000 ? 1 : 0;
  alignment_losses += (truncation & kAlignmentLoss) != 0 ? 1 : 0;
  result_losses += (truncation & kResultLoss) != 0 ? 1 : 0;
}

void Census::add(const Census& other) {
  outputs += other.outputs;
  k_sum += other.k_sum;
  for (size_t i = 0; i < of_target.size(); ++i) {
    of_target.at(i) += other.of_target.at(i);
  }
  in_bf16 += other.in_bf16;
  nan += other.nan;
  infinite += other.infinite;
  subnormal += other.subnormal;
  plus_zero += other.plus_zero;
  minus_zero += other.minus_zero;
  alignment_losses += other.alignment_losses;
  result_losses += other.result_losses;
  mismatches += other.mismatches;
}

std::vector<std::string> Census::missing(Accumulation policy) const {
  std::vector<std::string> names;
  const auto require = [&](const char* name, int64_t number) {
    if (number * 20000 < outputs) {
      names.emplace_back(name);
    }
  };
  require("NaN", nan);
  require("infinite", infinite);
  require("subnormal", subnormal);
  require("+0", plus_zero);
  if (policy != Accumulation::kBlackwellV1) {  // whose negative sums that vanish are +0
    require("-0", minus_zero);
  }
  if (is_truncating(policy)) {
    require("alignment loss", alignment_losses);
    require("result loss", result_losses);
  }
  for (size_t i = 0; i < of_target.size(); ++i) {
    if (is_available(kEmulatorTargets.at(i).target)) {
      require(kEmulatorTargets.at(i).name.data(), of_target.at(i));
    }
  }
  if (policy == Accumulation::kFp32Rne && is_available(EmulatorTarget::kAmx)) {
    require("BF16 tiles", in_bf16);
    require("integer tiles", of_target.back() - in_bf16);
  }
  return names;
}

}  // namespace nibblecore::comparison
