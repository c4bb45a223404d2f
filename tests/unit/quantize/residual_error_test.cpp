// SPDX-License-Identifier: Apache-2.0
// What a residual does to the quantization error, beside figures that another program computed in
// FP64 on tensors of the same law and size. This is the one statistical test here: the other
// program's random numbers are not ours, so the figures agree within their spread only.
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/formats/dequantize.hpp"
#include "model/quantize/quantize.hpp"
#include "model/quantize/residual.hpp"
#include "model/quantize/sparsify.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kMacroBlocks = int64_t{1} << 14;
constexpr int64_t kMacroBlock = 128;

/// Gaussian macro blocks, each scaled by 2^u with u uniform in [0, 1), so that the position of the
/// maximum within its octave is uniform.
std::vector<float> gaussian_macro_blocks() {
  std::mt19937_64 engine(20260801);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> phase;
  std::vector<float> values;
  for (int64_t block = 0; block < kMacroBlocks; ++block) {
    const double scale = std::exp2(phase(engine));
    for (int64_t i = 0; i < kMacroBlock; ++i) {
      values.push_back(static_cast<float>(scale * normal(engine)));
    }
  }
  return values;
}

const std::vector<float>& tensor() {
  static const std::vector<float> values = gaussian_macro_blocks();
  return values;
}

class ResidualError {
 public:
  explicit ResidualError(const Preset& preset)
      : main_(quantize(view(), preset, 0)),
        residual_(quantize_residual(view(), main_, preset, 0)),
        decoded_(tensor().size()) {
    dequantize(main_, decoded_.data());
  }

  /// Squared error with the residual over squared error without it.
  double ratio(ResidualPattern pattern) const {
    std::vector<float> kept(tensor().size());
    dequantize(sparsify(residual_, pattern, 0), kept.data());
    double plain = 0;
    double corrected = 0;
    for (size_t i = 0; i < kept.size(); ++i) {
      const double error = double{tensor()[i]} - double{decoded_[i]};
      plain += error * error;
      corrected += (error - double{kept[i]}) * (error - double{kept[i]});
    }
    return corrected / plain;
  }

 private:
  static MatrixView view() { return row_major_view(tensor().data(), kMacroBlocks, kMacroBlock); }

  PackedMatrix main_;
  PackedMatrix residual_;
  std::vector<float> decoded_;
};

/// A figure as it was noted: its standard deviation over seeds, half a unit of its last digit.
struct Noted {
  double figure;
  double deviation;
  double half_digit;
};

void expect_noted(double computed, const Noted& noted) {
  const double tolerance = 4 * noted.deviation + noted.half_digit;
  EXPECT_THAT(computed, testing::AllOf(testing::Gt(noted.figure - tolerance),
                                       testing::Lt(noted.figure + tolerance)));
}

TEST(ResidualError, Mxfp4Rceil) {
  const ResidualError error(preset(kMxfp4, "rceil"));
  expect_noted(error.ratio(ResidualPattern::kTwoOfFour), {.156, .0004, .0005});
  expect_noted(error.ratio(ResidualPattern::kDense), {.0141, .00003, .00005});
}

TEST(ResidualError, Hif4) {
  const ResidualError error(preset(kHif4, "amct"));
  expect_noted(error.ratio(ResidualPattern::kTwoOfFour), {.201, .0003, .0005});
  expect_noted(error.ratio(ResidualPattern::kDense), {.0053, .00001, .00005});
}

TEST(ResidualError, Nvfp4) {
  const ResidualError error(preset(kNvfp4, "te_nvfp4"));
  expect_noted(error.ratio(ResidualPattern::kTwoOfFour), {.117, .0002, .0005});
  expect_noted(error.ratio(ResidualPattern::kDense), {.0083, .00001, .00005});
}

}  // namespace
}  // namespace nibblecore
