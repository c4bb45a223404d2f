// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/trace/operand_view.hpp"
#include "tb/replay/core_runs.hpp"
#include "tb/replay/packed_product.hpp"

namespace nibblecore::tb {

/// The output of a product in pieces, row by row, whose operands as FP64 numbers take little
/// memory. Which pieces follows from the sizes alone.
std::vector<TileBounds> output_panels(int64_t m, int64_t n, int64_t k);

/// Computes panels of a product as numbers; for one thread, which keeps its buffers.
class PanelProducts {
 public:
  /// The unquantized product in FP64, [rows, columns]; valid until the next call.
  const std::vector<double>& truth(const Operands& operands, const TileBounds& panel);

  /// What a framework computes in FP32 for the packed operands: one SGEMM, and one more for a
  /// residual; valid until the next call.
  const std::vector<float>& framework(const PackedProduct& product, const TileBounds& panel);

 private:
  std::vector<double> a64_;
  std::vector<double> b64_;
  std::vector<double> truth_;
  std::vector<float> a32_;
  std::vector<float> b32_;
  std::vector<float> residual32_;
  std::vector<float> framework_;
  std::vector<float> addend_;
  int64_t first_row64_ = -1;  ///< of what a64_ holds
  int64_t first_row32_ = -1;
};

}  // namespace nibblecore::tb
