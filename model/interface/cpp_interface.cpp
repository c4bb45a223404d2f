// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>
#include <string>

#include "model/common/checked.hpp"
#include "model/emulate/dequantize.hpp"
#include "model/emulate/emulated_gemm.hpp"
#include "model/emulate/gemm.hpp"
#include "model/emulate/quantize.hpp"
#include "model/formats/named_record.hpp"
#include "model/interface/argument_checks.hpp"
#include "model/interface/nibblecore/nibblecore.hpp"
#include "model/interface/version.hpp"
#include "model/quantize/quantize.hpp"
#include "model/reference/gemm.hpp"

namespace nibblecore::api {
namespace {

constexpr std::array<NamedValue<Engine>, 2> kEngines{
    {{"emulator", Engine::kEmulator}, {"reference", Engine::kReference}}};

void require_operands(const PackedMatrix& a, const PackedMatrix& b) {
  require_whole(a, "A");
  require_whole(b, "B");
  checked_multiply(a.rows, b.rows, "outputs");
}

PackedMatrix row_of(const PackedMatrix& matrix, int64_t row, const std::string& place) {
  if (row < 0 || row >= matrix.rows) {
    throw InputError(place, "no row " + std::to_string(row) + " of " + std::to_string(matrix.rows));
  }
  const uint8_t* codes = matrix.row_codes(row);
  const uint8_t* scales = matrix.row_scales(row);
  PackedMatrix single;
  single.format = matrix.format;
  single.rows = 1;
  single.k = matrix.k;
  single.codes.assign(codes, codes + matrix.code_stride());
  single.scales.assign(scales, scales + matrix.scale_stride());
  single.tensor_scale = matrix.tensor_scale;
  return single;
}

}  // namespace

std::string_view version() { return kLibraryVersion; }

BlockFormat format(std::string_view name, int block, std::string_view scale) {
  const BlockFormat& own = block_format(name);
  return make_block_format(name, block == 0 ? own.block : block,
                           scale.empty() ? scale_name(own.scale) : scale);
}

const Preset& preset(std::string_view format, std::string_view name) {
  return nibblecore::preset(block_format(format), name);
}

Accumulation policy(std::string_view name) { return accumulation(name); }

Engine engine(std::string_view name) { return find_record(kEngines, name, "--engine").value; }

MatrixView fp32_matrix(const float* values, int64_t rows, int64_t k) {
  return row_major_view(values, rows, k);
}

MatrixView bf16_matrix(const uint16_t* bits, int64_t rows, int64_t k) {
  return {bits, ValueType::kBf16, rows, k, k, 1};
}

PackedSizes packed_sizes(const BlockFormat& format, int64_t rows, int64_t k) {
  const std::string place =
      "matrix of " + std::to_string(rows) + " rows and " + std::to_string(k) + " columns";
  if (rows < 0 || k < 0) {
    throw InputError(place, "sizes must not be negative");
  }
  // Rows are at most k + 63 codes long, and no block has more bytes of scale than of codes.
  checked_multiply(rows, checked_add(k, 64, place), place);
  const int64_t blocks = ceil_divide(k, format.block);
  return {rows * (blocks * format.block / 2), rows * (blocks * format.scale_bytes())};
}

PackedMatrix quantize(const MatrixView& values, const Preset& preset, int threads) {
  require_threads(threads);
  packed_sizes(preset.format, values.rows, values.k);
  if (values.rows > 0 && values.k > 0) {
    require_pointer(values.data, "values");
  }
  return has_emulated_quantizer(preset) ? emulate_quantize(values, preset, threads)
                                        : nibblecore::quantize(values, preset, threads);
}

std::vector<float> dequantize(const PackedMatrix& matrix, int threads) {
  require_whole(matrix, "matrix");
  std::vector<float> values(static_cast<size_t>(matrix.rows * matrix.k));
  dequantize(matrix, values.data(), threads);
  return values;
}

void dequantize(const PackedMatrix& matrix, float* values, int threads) {
  require_threads(threads);
  require_whole(matrix, "matrix");
  if (matrix.rows > 0 && matrix.k > 0) {
    require_pointer(values, "values");
    emulate_dequantize(matrix, values, threads);
  }
}

uint32_t dot(const PackedMatrix& a, int64_t row, const PackedMatrix& b, int64_t column,
             Accumulation policy, uint32_t c) {
  require_operands(a, b);
  uint32_t d = 0;
  reference_gemm(row_of(a, row, "A"), row_of(b, column, "B"), policy, &c, &d, 1);
  return d;
}

void gemm(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy, const uint32_t* c,
          uint32_t* d, const GemmOptions& options) {
  if (options.engine == Engine::kEmulator) {
    Gemm(a, b, policy, options.threads).run(c, d, options.threads, options.truncation);
    return;
  }
  require_threads(options.threads);
  require_operands(a, b);
  if (a.rows > 0 && b.rows > 0) {
    require_pointer(d, "d");
  }
  reference_gemm(a, b, policy, c, d, options.threads, {}, options.truncation);
}

std::vector<float> gemm(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy,
                        const std::vector<float>& c, const GemmOptions& options) {
  require_operands(a, b);
  const auto outputs = static_cast<size_t>(a.rows * b.rows);
  if (!c.empty() && c.size() != outputs) {
    throw InputError("c",
                     std::to_string(c.size()) + " numbers, expected " + std::to_string(outputs));
  }
  std::vector<uint32_t> bits(outputs);
  if (!c.empty()) {
    std::memcpy(bits.data(), c.data(), outputs * sizeof(float));
  }
  gemm(a, b, policy, c.empty() ? nullptr : bits.data(), bits.data(), options);
  std::vector<float> numbers(outputs);
  if (outputs != 0) {
    std::memcpy(numbers.data(), bits.data(), outputs * sizeof(float));
  }
  return numbers;
}

struct Gemm::Held {
  Held(const PackedMatrix& left, const PackedMatrix& right, Accumulation policy, int threads)
      : a(left), b(right), gemm(a, b, policy, threads) {}

  PackedMatrix a;
  PackedMatrix b;
  EmulatedGemm gemm;  // refers to both
};

Gemm::Gemm(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy, int threads)
    : outputs_(0) {
  require_threads(threads);
  require_operands(a, b);
  outputs_ = a.rows * b.rows;
  held_ = std::make_unique<Held>(a, b, policy, threads);
}

Gemm::Gemm(Gemm&& other) noexcept = default;
Gemm& Gemm::operator=(Gemm&& other) noexcept = default;
Gemm::~Gemm() = default;

void Gemm::run(const uint32_t* c, uint32_t* d, int threads, uint8_t* truncation) const {
  require_threads(threads);
  if (outputs_ > 0) {
    require_pointer(d, "d");
  }
  held_->gemm.run(c, d, threads, truncation);
}

}  // namespace nibblecore::api
