// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/output_comparison.hpp"

#include <algorithm>

#include "model/common/bits.hpp"
#include "model/common/checked.hpp"
#include "model/common/parallel.hpp"
#include "tb/replay/output_panels.hpp"

namespace nibblecore::tb {
namespace {

/// The results of a panel among all of them.
class PanelBits {
 public:
  PanelBits(const std::vector<uint32_t>& bits, int64_t n, const TileBounds& panel)
      : first_(bits.data() + panel.first_row * n + panel.first_column), stride_(n) {}

  const uint32_t* row(int64_t row) const { return first_ + row * stride_; }

 private:
  const uint32_t* first_;
  int64_t stride_;
};

void add_framework(const std::vector<float>& qdq, const PanelBits& bits, const TileBounds& panel,
                   OutputComparison& sum) {
  for (int64_t row = 0; row < panel.rows; ++row) {
    const float* const expected = qdq.data() + row * panel.columns;
    const uint32_t* const found = bits.row(row);
    for (int64_t column = 0; column < panel.columns; ++column) {
      sum.qdq_ulp.add(found[column], float_bits(expected[column]));
    }
  }
}

void add_truth(const std::vector<double>& truth, const PanelBits& bits, const TileBounds& panel,
               OutputComparison& sum) {
  for (int64_t row = 0; row < panel.rows; ++row) {
    const double* const expected = truth.data() + row * panel.columns;
    const uint32_t* const found = bits.row(row);
    for (int64_t column = 0; column < panel.columns; ++column) {
      const double value = bits_float(found[column]);
      sum.signal_to_noise.add(expected[column], value);
      sum.agreement.add(expected[column], value);
    }
  }
}

void keep_truth(const std::vector<double>& panel_truth, const TileBounds& panel, int64_t n,
                std::vector<double>& truth) {
  for (int64_t row = 0; row < panel.rows; ++row) {
    std::copy_n(panel_truth.begin() + row * panel.columns, panel.columns,
                truth.begin() + (panel.first_row + row) * n + panel.first_column);
  }
}

}  // namespace

OutputComparison compare_outputs(const Operands& operands, const PackedProduct* product,
                                 const std::vector<uint32_t>& bits, int threads,
                                 std::vector<double>* truth) {
  const int64_t n = operands.b.rows;
  if (truth != nullptr) {
    truth->resize(bits.size());
  }
  const std::vector<TileBounds> panels = output_panels(operands.a.rows, n, operands.a.k);
  std::vector<OutputComparison> parts(panels.size());
  const auto count = static_cast<int64_t>(panels.size());
  // One run of panels a thread: neighbours share rows of A.
  const int64_t run = std::max<int64_t>(1, ceil_divide(count, thread_count(threads)));
  parallel_for(count, run, threads, [&](int64_t begin, int64_t end) {
    PanelProducts products;
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      const PanelBits panel_bits(bits, n, panels[i]);
      if (product != nullptr) {
        add_framework(products.framework(*product, panels[i]), panel_bits, panels[i], parts[i]);
      }
      const std::vector<double>& panel_truth = products.truth(operands, panels[i]);
      add_truth(panel_truth, panel_bits, panels[i], parts[i]);
      if (truth != nullptr) {
        keep_truth(panel_truth, panels[i], n, *truth);
      }
    }
  });
  // Added in the order of the panels, whichever thread computed them.
  OutputComparison total;
  for (const OutputComparison& part : parts) {
    total.qdq_ulp += part.qdq_ulp;
    total.signal_to_noise += part.signal_to_noise;
    total.agreement += part.agreement;
  }
  return total;
}

}  // namespace nibblecore::tb
