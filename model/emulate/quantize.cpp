// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/quantize.hpp"

#include <algorithm>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "model/common/error.hpp"
#include "model/common/parallel.hpp"
#include "model/emulate/hif4_quantizer.hpp"
#include "model/emulate/mxfp4_quantizer.hpp"
#include "model/emulate/nvfp4_quantizer.hpp"
#include "model/emulate/quantize_magnitude.hpp"

namespace nibblecore {
namespace {

/// Neighbouring rows go to one thread: in a column-major view they share cache lines.
constexpr int64_t kRowsPerPiece = 16;

bool same_blocks(const BlockFormat& a, const BlockFormat& b) {
  return a.element == b.element && a.scale == b.scale && a.block == b.block;
}

struct HasQuantizer {
  const BlockFormat& format;

  bool operator()(const Mxfp4Rule& rule) const {
    return same_blocks(format, kMxfp4) && has_mxfp4_quantizer(rule);
  }
  bool operator()(const Hif4Rule& rule) const {
    return same_blocks(format, kHif4) && has_hif4_quantizer(rule);
  }
  bool operator()(const Nvfp4Rule& rule) const {
    return same_blocks(format, kNvfp4) && has_nvfp4_quantizer(rule);
  }
};

void require_quantizer(const Preset& preset) {
  if (has_emulated_quantizer(preset)) {
    return;
  }
  std::string known;
  for (const Preset& candidate : presets()) {
    if (has_emulated_quantizer(candidate)) {
      known += (known.empty() ? "" : ", ") + candidate.name;
    }
  }
  throw InputError("emulated quantizer", "there is none of preset '" + preset.name +
                                             "' (of presets there are: " + known + ")");
}

void require_place(const MatrixView& input, const Preset& preset, const PackedMatrix& packed) {
  const bool has_size =
      packed.rows == input.rows && packed.k == input.k &&
      packed.codes.size() == static_cast<size_t>(packed.rows * packed.code_stride()) &&
      packed.scales.size() == static_cast<size_t>(packed.rows * packed.scale_stride());
  if (!has_size || !same_blocks(packed.format, preset.format)) {
    throw InputError("emulated quantizer",
                     "the packed matrix is not of the preset's format and the input's size");
  }
}

/// Rows of a matrix as spans of values that lie side by side.
class RowSpans {
 public:
  RowSpans(const MatrixView& input, int64_t block)
      : input_(input),
        neighbours_(input.k_stride == 1 || input.k <= 1),
        whole_(neighbours_ && input.row_stride == input.k && input.k % block == 0) {}

  /// body(row, values, type, count) over rows begin..end, several at once where they are of whole
  /// blocks and nothing lies between them; `values` stay only that long.
  template <class Body>
  void for_each(int64_t begin, int64_t end, const Body& body) const {
    if (input_.k == 0) {
      return;
    }
    if (whole_) {
      body(begin, row_data(begin), input_.type, (end - begin) * input_.k);
      return;
    }
    std::vector<float> copy(neighbours_ ? 0 : static_cast<size_t>(input_.k));
    for (int64_t row = begin; row < end; ++row) {
      if (neighbours_) {
        body(row, row_data(row), input_.type, input_.k);
      } else {
        load_row(input_, row, copy.data());
        body(row, reinterpret_cast<const unsigned char*>(copy.data()), ValueType::kF32, input_.k);
      }
    }
  }

 private:
  const unsigned char* row_data(int64_t row) const {
    const int64_t value_bytes = input_.type == ValueType::kBf16 ? 2 : 4;
    return static_cast<const unsigned char*>(input_.data) + row * input_.row_stride * value_bytes;
  }

  const MatrixView& input_;
  bool neighbours_;  ///< the values of a row
  bool whole_;
};

uint32_t largest_magnitude_bits(const MatrixView& input, const RowSpans& spans, int threads,
                                EmulatorTarget target) {
  uint32_t largest = 0;
  std::mutex largest_mutex;
  parallel_for(input.rows, kRowsPerPiece, threads, [&](int64_t begin, int64_t end) {
    spans.for_each(
        begin, end,
        [&](int64_t /*row*/, const unsigned char* values, ValueType type, int64_t count) {
          const uint32_t of_span = largest_span_magnitude(values, type, count, target);
          const std::lock_guard<std::mutex> lock(largest_mutex);
          largest = std::max(largest, of_span);
        });
  });
  return largest;
}

/// Quantizes every span by quantize(span).
template <class Quantize>
void quantize_spans(const RowSpans& spans, int threads, PackedMatrix& packed,
                    const Quantize& quantize) {
  parallel_for(packed.rows, kRowsPerPiece, threads, [&](int64_t begin, int64_t end) {
    spans.for_each(
        begin, end, [&](int64_t row, const unsigned char* values, ValueType type, int64_t count) {
          quantize(
              QuantizeSpan{values, type, count, packed.row_codes(row), packed.row_scales(row)});
        });
  });
}

struct QuantizeMatrix {
  const MatrixView& input;
  int threads;
  PackedMatrix& packed;
  EmulatorTarget target;
  RowSpans spans{input, packed.format.block};

  void operator()(const Mxfp4Rule& rule) const {
    packed.tensor_scale = scale_factor(rule);
    quantize_spans(spans, threads, packed,
                   [&](const QuantizeSpan& span) { quantize_mxfp4_span(span, rule, target); });
  }
  void operator()(const Hif4Rule& rule) const {
    packed.tensor_scale = 1;
    quantize_spans(spans, threads, packed,
                   [&](const QuantizeSpan& span) { quantize_hif4_span(span, rule, target); });
  }
  void operator()(const Nvfp4Rule& rule) const {
    const Nvfp4Quantizer quantizer(largest_magnitude_bits(input, spans, threads, target),
                                   rule.rounding);
    packed.tensor_scale = quantizer.tensor_scale();
    quantize_spans(spans, threads, packed,
                   [&](const QuantizeSpan& span) { quantizer.quantize(span, target); });
  }
};

}  // namespace

bool has_emulated_quantizer(const Preset& preset) {
  return std::visit(HasQuantizer{preset.format}, preset.rule);
}

PackedMatrix emulate_quantize(const MatrixView& input, const Preset& preset, int threads,
                              EmulatorTarget target) {
  require_quantizer(preset);
  PackedMatrix packed = make_packed_matrix(preset.format, input.rows, input.k);
  emulate_quantize(input, preset, threads, packed, target);
  return packed;
}

void emulate_quantize(const MatrixView& input, const Preset& preset, int threads,
                      PackedMatrix& packed, EmulatorTarget target) {
  require_quantizer(preset);
  require_place(input, preset, packed);
  std::visit(QuantizeMatrix{input, threads, packed, target}, preset.rule);
}

}  // namespace nibblecore
