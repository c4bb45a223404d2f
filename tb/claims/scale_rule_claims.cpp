// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "model/quantize/magnitude_bits.hpp"
#include "model/quantize/mxfp4.hpp"
#include "tb/claims/claims.hpp"

namespace nibblecore::tb {
namespace {

constexpr const char* kSource = "arXiv 2603.08713";
/// Blocks of "MXFP4-16", in which the paper measures, and of MXFP4.
constexpr int kPaperBlock = 16;
constexpr int kMxfp4Block = 32;

/// How often EVEN and OAS give different scales, over every significand of some binades, the
/// largest and the smallest among them.
struct Differences {
  int64_t at_seven_quarters = 0;  ///< at 1.75 times a power of two
  int64_t elsewhere = 0;
};

constexpr std::array<uint32_t, 3> kBinades{1, 127, 254};

Differences differences_of_even_and_oas() {
  Differences differences;
  for (const uint32_t field : kBinades) {
    for (uint32_t fraction = 0; fraction < (1U << 23); ++fraction) {
      const uint32_t bits = (field << 23) | fraction;
      if (mxfp4_scale(bits, ScaleRule::kEven) != mxfp4_scale(bits, ScaleRule::kOas)) {
        ++(fraction == 0x600000 ? differences.at_seven_quarters : differences.elsewhere);
      }
    }
  }
  return differences;
}

Claim even_is_oas() {
  const Differences differences = differences_of_even_and_oas();
  const std::string data = std::to_string(kBinades.size()) + " binades";
  return {11,
          "EVEN and OAS are one rule",
          kSource,
          {{"no largest magnitude but 1.75 * 2^k gets another scale",
            "equal",
            {0, 0},
            std::nullopt,
            Quantifier::kEvery,
            0,
            {{data, "differ elsewhere", static_cast<double>(differences.elsewhere),
              FigureRole::kDecides},
             {data, "differ at 1.75 * 2^k", static_cast<double>(differences.at_seven_quarters),
              FigureRole::kContext}}}}};
}

/// Squared error of a tensor in MXFP4 with blocks of 16, each block weighed alike.
double error_of(const SyntheticTensor& tensor, ScaleRule rule) {
  const SyntheticSpec& spec = tensor.spec();
  std::vector<float> values(static_cast<size_t>(spec.k));
  std::array<uint8_t, kPaperBlock> codes{};
  std::array<float, kPaperBlock> decoded{};
  double sum = 0;
  for (int64_t row = 0; row < spec.rows; ++row) {
    tensor.fill_row(row, values.data());
    for (int64_t begin = 0; begin < spec.k; begin += kPaperBlock) {
      const float* const block = values.data() + begin;
      uint8_t scale = 0;
      quantize_mxfp4_block({block, largest_magnitude_bits(block, kPaperBlock)}, kPaperBlock,
                           {rule, Rounding::kNearestEven}, {&scale, codes.data(), decoded.data()});
      double block_sum = 0;
      for (size_t i = 0; i < kPaperBlock; ++i) {
        const double error = static_cast<double>(decoded[i]) - block[i];
        block_sum += error * error;
      }
      sum += block_sum * tensor.energy_weight(row, begin / spec.phase_length);
    }
  }
  return sum;
}

double gain_in_decibels(const ClaimInputs& inputs, const Law& law) {
  const SyntheticTensor tensor = phased_tensor(inputs, law, 128);
  return 10 * std::log10(error_of(tensor, ScaleRule::kFloor) / error_of(tensor, ScaleRule::kOas));
}

/// Share of a tensor's blocks whose scale OAS halves, from the least that clips nothing.
double changed_share(const SyntheticTensor& tensor, int block) {
  const SyntheticSpec& spec = tensor.spec();
  std::vector<float> values(static_cast<size_t>(spec.k));
  int64_t changed = 0;
  for (int64_t row = 0; row < spec.rows; ++row) {
    tensor.fill_row(row, values.data());
    for (int64_t begin = 0; begin < spec.k; begin += block) {
      const uint32_t largest =
          largest_magnitude_bits(values.data() + begin, static_cast<size_t>(block));
      changed +=
          mxfp4_scale(largest, ScaleRule::kRceil) != mxfp4_scale(largest, ScaleRule::kOas) ? 1 : 0;
    }
  }
  return static_cast<double>(changed) * block / static_cast<double>(spec.rows * spec.k);
}

/// Least and largest share over 16 standard deviations in an octave.
std::pair<double, double> shares_of_one_sigma(const ClaimInputs& inputs, int block) {
  double least = 1;
  double largest = 0;
  for (int phase = 0; phase < 16; ++phase) {
    SyntheticSpec spec = phased_set_up(find_law("gaussian"), 0,
                                       std::max<int64_t>(4096, inputs.values / 16), inputs.seed);
    spec.scale = std::exp2(phase / 16.0);
    const double share = changed_share(SyntheticTensor(spec), block);
    least = std::min(least, share);
    largest = std::max(largest, share);
  }
  return {least, largest};
}

Statement changed_blocks(const ClaimInputs& inputs) {
  Statement statement{"share of the blocks whose scale it halves",
                      "about .15",
                      rounds_to(0.15, 0.01),
                      std::nullopt,
                      Quantifier::kRange,
                      sampling_tolerance(inputs, 0.0012),
                      {}};
  for (const int block : {kPaperBlock, kMxfp4Block}) {
    const std::string data = "gaussian, blocks of " + std::to_string(block);
    const auto [least, largest] = shares_of_one_sigma(inputs, block);
    statement.figures.push_back(
        {data, "maxima uniform in their octave",
         changed_share(phased_tensor(inputs, find_law("gaussian"), block), block),
         FigureRole::kDecides});
    statement.figures.push_back({data, "least of one sigma", least, FigureRole::kWidens});
    statement.figures.push_back({data, "largest of one sigma", largest, FigureRole::kWidens});
  }
  return statement;
}

Claim oas_gain(const ClaimInputs& inputs) {
  return {
      12,
      "Overflow-aware scaling gains half a decibel by changing some blocks",
      kSource,
      {{"gain over floor in blocks of 16, dB",
        "+.5",
        rounds_to(0.5, 0.1),
        std::nullopt,
        Quantifier::kRange,
        sampling_tolerance(inputs, 0.0075),
        {{"gaussian", "dB", gain_in_decibels(inputs, find_law("gaussian")), FigureRole::kDecides},
         {"t4", "dB", gain_in_decibels(inputs, find_law("t4")), FigureRole::kDecides}}},
       changed_blocks(inputs)}};
}

}  // namespace

std::vector<Claim> scale_rule_claims(const ClaimInputs& inputs) {
  return {even_is_oas(), oas_gain(inputs)};
}

}  // namespace nibblecore::tb
