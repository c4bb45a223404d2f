// SPDX-License-Identifier: Apache-2.0
#include "model/trace/tensor_ordinals.hpp"

#include "model/common/error.hpp"

namespace nibblecore {

TensorOrdinals::TensorOrdinals(const std::vector<GemmRecord>& records) {
  for (const GemmRecord& record : records) {
    for (const auto& tensor : {record.a, record.b}) {
      if (tensor) {
        ordinals_.emplace(std::pair(tensor->file, tensor->tensor),
                          static_cast<uint32_t>(ordinals_.size()));
      }
    }
  }
}

uint32_t TensorOrdinals::of(const TensorRef& tensor) const {
  const auto found = ordinals_.find({tensor.file, tensor.tensor});
  if (found == ordinals_.end()) {
    throw InternalError("no ordinal of tensor '" + tensor.tensor + "'");
  }
  return found->second;
}

}  // namespace nibblecore
