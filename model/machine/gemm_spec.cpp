// SPDX-License-Identifier: Apache-2.0
#include "model/machine/gemm_spec.hpp"

#include "model/common/error.hpp"
#include "model/formats/bf16.hpp"
#include "model/formats/named_record.hpp"

namespace nibblecore {

int64_t input_bytes(OperandPath path) {
  switch (path) {
    case OperandPath::kOnlineBf16:
      return 2;
    case OperandPath::kOnlineFp32:
      return 4;
    case OperandPath::kPacked:
      break;
  }
  throw InternalError("a packed operand has no input width");
}

Online online(std::string_view name) { return find_record(kOnlines, name, "--online").online; }

std::string_view name_of(Online online) { return kOnlines.at(static_cast<size_t>(online)).name; }

OutputWidth output_width(std::string_view name) {
  return find_record(kOutputWidths, name, "--store").width;
}

std::string_view name_of(OutputWidth width) {
  return kOutputWidths.at(static_cast<size_t>(width)).name;
}

void round_to_output(OutputWidth width, std::vector<uint32_t>& bits) {
  if (width == OutputWidth::kBf16) {
    for (uint32_t& value : bits) {
      value = bf16_to_fp32(bf16_from_fp32(value));
    }
  }
}

}  // namespace nibblecore
