// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/reference/truncating_definition.hpp"

#include <algorithm>
#include <cmath>

#include "model/common/bits.hpp"
#include "model/formats/e2m1.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/ue4m3.hpp"
#include "tests/unit/reference/dot_definition.hpp"
#include "tests/unit/reference/fp32_definition.hpp"

namespace nibblecore {
namespace {

constexpr uint32_t kNan = 0x7FFFFFFF;

/// floor(log2 |value|) of a number that is not zero, but at least that of the format's least
/// normal.
int exponent_of(double value, int least) { return std::max(std::ilogb(value), least); }

double scale_value(const PackedMatrix& matrix, int64_t row, int64_t i) {
  const uint8_t code = matrix.row_scales(row)[i / matrix.format.block];
  return decode_double(matrix.format.scale == ScaleKind::kE8m0 ? kE8m0Format : kUe4m3Format, code);
}

/// The value of a term and the power of two that it is aligned by.
struct Term {
  FixedPoint value;
  int exponent;
};

class Node {
 public:
  Node(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy, int64_t m, int64_t n)
      : a_(a), b_(b), policy_(policy), m_(m), n_(n) {}

  /// Adds elements [first, end) of K to `accumulator`, which is finite.
  void add(int64_t first, int64_t end, uint32_t& accumulator, uint8_t& truncation) const {
    const bool mixed = policy_ == Accumulation::kBlackwellMxf8f6f4;
    const int64_t group = mixed ? 1 : 16;
    std::vector<Term> terms{start(accumulator)};
    for (int64_t i = first; i < end; i += group) {
      terms.push_back(term(i, i + group));
    }
    const int largest =
        std::max_element(terms.begin(), terms.end(), [](const Term& x, const Term& y) {
          return x.exponent < y.exponent;
        })->exponent;
    const FixedPoint grain = fixed_point(int64_t{1}, largest - (mixed ? 25 : 35));
    FixedPoint sum = 0;
    for (const Term& term : terms) {
      const FixedPoint rest = term.value % grain;  // has the sign of the term
      sum += term.value - rest;
      truncation = static_cast<uint8_t>(truncation | (rest != 0 ? kAlignmentLoss : 0));
    }
    const uint32_t bits = toward_zero_fp32(sum);
    const bool whole = std::isfinite(bits_float(bits)) && fp32_value(bits) == sum;
    truncation = static_cast<uint8_t>(truncation | (whole ? 0 : kResultLoss));
    accumulator = policy_ == Accumulation::kBlackwellV1 && bits == 0x80000000 ? 0 : bits;
  }

 private:
  int zero() const {
    return policy_ == Accumulation::kBlackwell     ? -139
           : policy_ == Accumulation::kBlackwellV1 ? -126
                                                   : -133;
  }

  Term start(uint32_t bits) const {
    const double value = bits_float(bits);
    return {fp32_value(bits), value == 0 ? zero() : exponent_of(value, -126)};
  }

  int scale_exponent(const PackedMatrix& matrix, int64_t row, int64_t i) const {
    const double value = scale_value(matrix, row, i);
    if (value == 0) {
      return zero();  // matters under v1 alone: elsewhere the whole term is zero
    }
    return exponent_of(value, matrix.format.scale == ScaleKind::kE8m0 ? -127 : -6);
  }

  /// Elements past the end of the row are zero.
  double value(const PackedMatrix& matrix, int64_t row, int64_t i) const {
    return i < matrix.k ? element_value(matrix, row, i) : 0;
  }

  Term term(int64_t first, int64_t end) const {
    FixedPoint sum = 0;
    bool all_zero = true;
    for (int64_t i = first; i < end; ++i) {
      const double product = value(a_, m_, i) * value(b_, n_, i);
      sum += fixed_point(product);
      all_zero = all_zero && product == 0;
    }
    if (all_zero && policy_ != Accumulation::kBlackwellV1) {
      return {sum, zero()};
    }
    int exponent = scale_exponent(a_, m_, first) + scale_exponent(b_, n_, first);
    if (policy_ == Accumulation::kBlackwellMxf8f6f4) {
      for (const double element : {value(a_, m_, first) / scale_value(a_, m_, first),
                                   value(b_, n_, first) / scale_value(b_, n_, first)}) {
        exponent += exponent_of(element, 0);
      }
    }
    return {sum, exponent};
  }

  const PackedMatrix& a_;
  const PackedMatrix& b_;
  Accumulation policy_;
  int64_t m_;
  int64_t n_;
};

bool row_has_nan(const PackedMatrix& matrix, int64_t row) {
  for (int64_t i = 0; i < matrix.k; ++i) {
    if (std::isnan(scale_value(matrix, row, i))) {
      return true;
    }
  }
  return false;
}

}  // namespace

TruncatedOutputs truncated_from_values(const PackedMatrix& a, const PackedMatrix& b,
                                       Accumulation policy, const std::vector<uint32_t>& c) {
  const int64_t width = policy == Accumulation::kBlackwellMxf8f6f4 ? 32 : 64;
  const int64_t end = a.blocks() * a.format.block;
  TruncatedOutputs outputs;
  for (int64_t m = 0; m < a.rows; ++m) {
    for (int64_t n = 0; n < b.rows; ++n) {
      uint32_t bits = c[outputs.bits.size()];
      uint8_t truncation = 0;
      if (std::isnan(bits_float(bits)) || row_has_nan(a, m) || row_has_nan(b, n)) {
        bits = kNan;
      }
      const Node node(a, b, policy, m, n);
      for (int64_t first = 0; first < end && std::isfinite(bits_float(bits)); first += width) {
        node.add(first, std::min(end, first + width), bits, truncation);
      }
      outputs.bits.push_back(bits);
      outputs.truncation.push_back(truncation);
    }
  }
  return outputs;
}

}  // namespace nibblecore
