// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "model/quantize/quantize.hpp"
#include "tb/claims/claims.hpp"

namespace nibblecore::tb {
namespace {

constexpr int kMatrices = 18;
constexpr int64_t kColumns = 1024;

double relative_error(const std::vector<float>& values, const SyntheticSpec& spec,
                      const Preset& preset, int threads) {
  std::vector<float> decoded(values.size());
  quantize(row_major_view(values.data(), spec.rows, spec.k), preset, threads, decoded.data());
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double error = (static_cast<double>(decoded[i]) - values[i]) / spec.scale;
    sum += error * error;
  }
  return sum / static_cast<double>(values.size());
}

}  // namespace

// The published experiment: Gaussian matrices of sigma .01 * 2^x, x = 0 to 17, 1024 x 1024 at the
// full number of values.
std::vector<Claim> format_claims(const ClaimInputs& inputs) {
  const Preset& hif4_preset = preset(kHif4, "gcc_cuda");
  const Preset& nvfp4_preset = preset(kNvfp4, "te_nvfp4");
  const Preset mxfp4_floor = mxfp4_preset(ScaleRule::kFloor, Rounding::kNearestEven);
  double hif4 = 0;
  double nvfp4 = 0;
  double mxfp4 = 0;
  for (int x = 0; x < kMatrices; ++x) {
    SyntheticSpec spec;
    spec.rows = std::max<int64_t>(1, inputs.values / (2 * kColumns));
    spec.k = kColumns;
    spec.scale = std::ldexp(0.01, x);
    spec.seed = inputs.seed;
    spec.tensor = static_cast<uint32_t>(x);
    const std::vector<float> values = SyntheticTensor(spec).values(inputs.threads);
    hif4 += relative_error(values, spec, hif4_preset, inputs.threads) / kMatrices;
    nvfp4 += relative_error(values, spec, nvfp4_preset, inputs.threads) / kMatrices;
    mxfp4 += relative_error(values, spec, mxfp4_floor, inputs.threads) / kMatrices;
  }
  const std::string data = "gaussian, 18 sigmas";
  const double tolerance = sampling_tolerance(inputs, 0.0015);
  return {{13,
           "Squared errors of HiF4 : NVFP4 : MXFP4 are as 1 : 1.32 : 1.89",
           "arXiv 2602.11287",
           {{"NVFP4 over HiF4",
             "1.32",
             rounds_to(1.32, 0.01),
             std::nullopt,
             Quantifier::kEvery,
             tolerance,
             {{data, "ratio", nvfp4 / hif4, FigureRole::kDecides},
              {data, "HiF4 / sigma^2", hif4, FigureRole::kContext},
              {data, "NVFP4 / sigma^2", nvfp4, FigureRole::kContext}}},
            {"MXFP4 (floor) over HiF4",
             "1.89",
             rounds_to(1.89, 0.01),
             std::nullopt,
             Quantifier::kEvery,
             tolerance,
             {{data, "ratio", mxfp4 / hif4, FigureRole::kDecides},
              {data, "MXFP4 / sigma^2", mxfp4, FigureRole::kContext}}}}}};
}

}  // namespace nibblecore::tb
