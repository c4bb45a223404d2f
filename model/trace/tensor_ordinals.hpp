// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/trace/gemm_record.hpp"

namespace nibblecore {

/// Numbers the tensors of a trace in the order in which its manifest first names them, each GEMM's
/// A before its B: a tensor has the same random numbers in all GEMMs that use it, whatever a filter
/// leaves out.
class TensorOrdinals {
 public:
  explicit TensorOrdinals(const std::vector<GemmRecord>& records);

  /// The ordinal of a tensor of these records; InternalError for another.
  uint32_t of(const TensorRef& tensor) const;

 private:
  std::map<std::pair<std::string, std::string>, uint32_t> ordinals_;
};

}  // namespace nibblecore
