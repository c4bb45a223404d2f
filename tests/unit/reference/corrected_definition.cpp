// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/reference/corrected_definition.hpp"

#include <algorithm>
#include <cmath>

#include "model/common/bits.hpp"
#include "tests/unit/reference/dot_definition.hpp"
#include "tests/unit/reference/fp32_definition.hpp"

namespace nibblecore {
namespace {

constexpr uint32_t kNan = 0x7FC00000;

/// Elements [first, end) of K of A or of its residual, which are added before a rounding.
struct Window {
  bool of_residual;
  int64_t first;
  int64_t end;
};

class Definition {
 public:
  Definition(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy,
             const GemmCorrections& corrections)
      : a_(a), b_(b), policy_(policy), corrections_(corrections) {}

  uint32_t output(int64_t m, int64_t n, uint32_t c) const {
    const float start = bits_float(c);
    if (std::isnan(start) || row_has_nan(a_, m) || row_has_nan(b_, n) ||
        (corrections_.residual != nullptr && row_has_nan(corrections_.residual->matrix, m))) {
      return kNan;
    }
    const float result =
        policy_ == Accumulation::kExact ? exact(m, n, start) : rounded(m, n, start);
    return std::isnan(result) ? kNan : float_bits(result);
  }

 private:
  static bool row_has_nan(const PackedMatrix& matrix, int64_t row) {
    for (int64_t i = 0; i < matrix.k; ++i) {
      if (std::isnan(element_value(matrix, row, i))) {
        return true;
      }
    }
    return false;
  }

  /// Factors of both rows at an element of K: 22 significant bits.
  float factor(int64_t m, int64_t n, int64_t i) const {
    const auto of = [&](const MacroScales* macro, int64_t row) {
      if (macro == nullptr) {
        return 1.0F;
      }
      const int64_t blocks_a_row = (a_.k + macro->length - 1) / macro->length;
      return macro->factors[static_cast<size_t>(row * blocks_a_row + i / macro->length)];
    };
    return of(corrections_.a_macro, m) * of(corrections_.b_macro, n);
  }

  double product(bool of_residual, int64_t m, int64_t n, int64_t i) const {
    const PackedMatrix& row = of_residual ? corrections_.residual->matrix : a_;
    return element_value(row, m, i) * element_value(b_, n, i);
  }

  std::vector<Window> windows() const {
    const int64_t width = policy_ == Accumulation::kFp32Rne ? a_.format.block : 64;
    const bool with_residual = corrections_.residual != nullptr;
    const int64_t granule =
        with_residual ? corrections_.residual->granule : std::max<int64_t>(a_.k, 1);
    std::vector<Window> result;
    for (int64_t start = 0; start < a_.k; start += granule) {
      const int64_t stop = std::min(a_.k, start + granule);
      for (const bool of_residual : {false, true}) {
        for (int64_t first = start; first < stop && (with_residual || !of_residual);
             first += width) {
          result.push_back({of_residual, first, std::min(stop, first + width)});
        }
      }
    }
    return result;
  }

  float exact(int64_t m, int64_t n, float start) const {
    if (std::isinf(start) || a_.k == 0) {
      return start;
    }
    FixedPoint sum = fixed_point(double{start});
    for (int64_t i = 0; i < a_.k; ++i) {
      const double both = double{factor(m, n, i)};
      sum += fixed_point(product(false, m, n, i) * both);
      if (corrections_.residual != nullptr) {
        // 34 significant bits times 24 of alpha.
        int exponent = 0;
        const double fraction = std::frexp(product(true, m, n, i) * both, &exponent);
        int alpha_exponent = 0;
        const double alpha_fraction =
            std::frexp(double{corrections_.residual_alpha.value_or(1.0F)}, &alpha_exponent);
        sum += fixed_point(static_cast<int64_t>(std::ldexp(fraction, 34)) *
                               static_cast<int64_t>(std::ldexp(alpha_fraction, 24)),
                           exponent + alpha_exponent - 58);
      }
    }
    return bits_float(nearest_fp32(sum));
  }

  /// The accumulator after all windows that `takes` says.
  template <class Takes>
  float sum_of(int64_t m, int64_t n, float start, const Takes& takes) const {
    const int64_t length = corrections_.macro_length();
    float accumulator = start;
    float tile = 0;
    int64_t last = -1;  // an element of the macro block that `tile` belongs to
    const auto epilogue = [&] {
      const float both = factor(m, n, last);
      accumulator = corrections_.epilogue == MacroEpilogue::kFused
                        ? std::fma(tile, both, accumulator)
                        : tile * both + accumulator;
      tile = 0;
    };
    for (const Window& window : windows()) {
      if (takes(window)) {
        if (length != 0 && last >= 0 && last / length != window.first / length) {
          epilogue();
        }
        last = window.first;
        float& sum = length == 0 ? accumulator : tile;
        sum = with_window(m, n, window, sum);
      }
    }
    if (length != 0 && last >= 0) {
      epilogue();
    }
    return accumulator;
  }

  float with_window(int64_t m, int64_t n, const Window& window, float sum) const {
    if (std::isinf(sum)) {
      return sum;
    }
    FixedPoint total = fixed_point(double{sum});
    for (int64_t i = window.first; i < window.end; ++i) {
      total += fixed_point(product(window.of_residual, m, n, i));
    }
    return bits_float(nearest_fp32(total));
  }

  float rounded(int64_t m, int64_t n, float start) const {
    if (!corrections_.residual_alpha) {
      return sum_of(m, n, start, [](const Window&) { return true; });
    }
    const float dense = sum_of(m, n, start, [](const Window& w) { return !w.of_residual; });
    const float residual = sum_of(m, n, 0, [](const Window& w) { return w.of_residual; });
    return a_.k == 0 ? dense : std::fma(*corrections_.residual_alpha, residual, dense);
  }

  const PackedMatrix& a_;
  const PackedMatrix& b_;
  Accumulation policy_;
  const GemmCorrections& corrections_;
};

}  // namespace

std::vector<uint32_t> corrected_gemm_by_definition(const PackedMatrix& a, const PackedMatrix& b,
                                                   Accumulation policy,
                                                   const std::vector<uint32_t>& c,
                                                   const GemmCorrections& corrections) {
  const Definition definition(a, b, policy, corrections);
  std::vector<uint32_t> d;
  for (int64_t m = 0; m < a.rows; ++m) {
    for (int64_t n = 0; n < b.rows; ++n) {
      d.push_back(definition.output(m, n, c[d.size()]));
    }
  }
  return d;
}

}  // namespace nibblecore
