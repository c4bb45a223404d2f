// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/common/error.hpp"
#include "model/formats/accumulation.hpp"
#include "model/formats/block_format.hpp"
#include "model/formats/matrix_view.hpp"
#include "model/formats/packed_matrix.hpp"
#include "model/formats/preset.hpp"

namespace nibblecore {

class EmulatedGemm;

/// Nibblecore as a library: quantize, dequantize, multiply, bit for bit as the tensor cores do.
///
///     #include <nibblecore/nibblecore.hpp>
///     namespace nc = nibblecore::api;
///
///     // Two FP32 matrices, row-major, K last; both operands of a product are blocked along K.
///     const auto mxfp4 = nc::preset("mxfp4", "rceil");
///     const auto a = nc::quantize(nc::fp32_matrix(activations, 128, 4096), mxfp4);
///     const auto b = nc::quantize(nc::bf16_matrix(weights, 512, 4096), mxfp4);
///     const std::vector<float> d = nc::gemm(a, b, nc::policy("blackwell"));  // [128, 512]
///     const std::vector<float> back = nc::dequantize(a);                     // [128, 4096]
///
/// Names are those of `nibblecore list`. `threads` is the number to use at most, 0 one per
/// processor; no result depends on it. Functions may be called from several threads at once. What
/// is wrong with an argument is an InputError, what is wrong with the library an InternalError.
namespace api {

/// The version of the library, as in "0.1.0".
std::string_view version();

/// A block format by name (mxfp4, hif4, nvfp4); block length (16, 32, 64) and scale (ue8m0, ue4m3,
/// hif4) are the format's own unless given. InputError where they don't go together.
BlockFormat format(std::string_view name, int block = 0, std::string_view scale = {});

/// A quantizer of a named format, its default where `name` is empty.
const Preset& preset(std::string_view format, std::string_view name = {});

/// An accumulation policy: fp32-rne, fp32-fused, exact, blackwell, blackwell-v1 or
/// blackwell-mxf8f6f4.
Accumulation policy(std::string_view name);

/// Which implementation multiplies: the fast one or the golden reference. Their bits are equal.
enum class Engine { kEmulator, kReference };

/// The engine of this name: emulator or reference.
Engine engine(std::string_view name);

/// Row-major values [rows, k] of the caller. Other strides: fill in a MatrixView.
MatrixView fp32_matrix(const float* values, int64_t rows, int64_t k);
MatrixView bf16_matrix(const uint16_t* bits, int64_t rows, int64_t k);

/// Bytes of a packed matrix [rows, k], whose rows are padded to whole blocks.
struct PackedSizes {
  int64_t codes;
  int64_t scales;
};
PackedSizes packed_sizes(const BlockFormat& format, int64_t rows, int64_t k);

/// Quantizes along K. NVFP4 takes its tensor scale from the whole matrix.
PackedMatrix quantize(const MatrixView& values, const Preset& preset, int threads = 0);

/// The FP32 values [rows, k] that codes and scales stand for, the tensor scale included.
std::vector<float> dequantize(const PackedMatrix& matrix, int threads = 0);
void dequantize(const PackedMatrix& matrix, float* values, int threads = 0);

/// FP32 bits of `c` plus row `row` of A times row `column` of B: one output of gemm(), by the
/// golden reference.
uint32_t dot(const PackedMatrix& a, int64_t row, const PackedMatrix& b, int64_t column,
             Accumulation policy, uint32_t c = 0);

struct GemmOptions {
  Engine engine = Engine::kEmulator;
  int threads = 0;
  /// [M, N] bytes that receive what truncation took (kAlignmentLoss, kResultLoss), or null.
  uint8_t* truncation = nullptr;
};

/// D[M, N] = A[M, K] B[N, K]^T + C as FP32 bits; `c` may be null (+0) or `d`.
void gemm(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy, const uint32_t* c,
          uint32_t* d, const GemmOptions& options = {});

/// The same as numbers; an empty `c` is +0.
std::vector<float> gemm(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy,
                        const std::vector<float>& c = {}, const GemmOptions& options = {});

/// A product by the emulator whose operands are checked and prepared once and multiplied as often
/// as one likes. It keeps copies of them.
class Gemm {
 public:
  Gemm(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy, int threads = 0);
  Gemm(Gemm&& other) noexcept;
  Gemm& operator=(Gemm&& other) noexcept;
  ~Gemm();

  /// As gemm().
  void run(const uint32_t* c, uint32_t* d, int threads = 0, uint8_t* truncation = nullptr) const;

 private:
  struct Held;
  std::unique_ptr<Held> held_;
  int64_t outputs_;
};

}  // namespace api
}  // namespace nibblecore
