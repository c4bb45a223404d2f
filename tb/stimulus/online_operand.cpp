// SPDX-License-Identifier: Apache-2.0
#include "tb/stimulus/online_operand.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "model/common/bits.hpp"
#include "model/formats/bf16.hpp"
#include "tb/stimulus/block_values.hpp"

namespace nibblecore::tb {
namespace {

/// About which the numbers of an operand lie.
int random_exponent(Dice& dice, const BlockFormat& format) {
  if (dice.chance(0.7)) {
    return static_cast<int>(dice.between(-3, 3));
  }
  switch (format.scale) {
    case ScaleKind::kE8m0:
      return dice.of<int>({-125, -80, 60, 125});
    case ScaleKind::kHif4:
      return dice.of<int>({-46, -52, -20, 13, 16, 40});
    case ScaleKind::kUe4m3:
      return dice.of<int>({-135, -60, 40, 100});
  }
  return 0;
}

class Writer {
 public:
  Writer(OperandPath path, int64_t k, std::vector<uint8_t>& bytes)
      : path_(path), k_(k), bytes_(bytes) {}

  void write(int64_t row, int64_t first, const std::vector<float>& values) {
    const auto width = static_cast<size_t>(input_bytes(path_));
    uint8_t* to = bytes_.data() + static_cast<size_t>(row * k_ + first) * width;
    for (const float value : values) {
      const uint32_t bits = float_bits(value);
      const uint16_t half = bf16_from_fp32(bits);
      std::memcpy(to, path_ == OperandPath::kOnlineBf16 ? static_cast<const void*>(&half) : &bits,
                  width);
      to += width;
    }
  }

 private:
  OperandPath path_;
  int64_t k_;
  std::vector<uint8_t>& bytes_;
};

}  // namespace

std::vector<uint8_t> random_online(Dice& dice, const StimulusConstraints& constraints,
                                   const Theme& theme, const Preset& preset, OperandPath path,
                                   int64_t rows, int64_t k) {
  const BlockFormat& format = preset.format;
  const int exponent = random_exponent(dice, format);
  const BlockValues blocks(preset, exponent);
  std::vector<double> styles = constraints.value_styles;
  if (theme.greatest) {
    styles.at(static_cast<size_t>(ValueStyle::kFlat)) *= 20;
  }
  if (!theme.nan) {
    styles.at(static_cast<size_t>(ValueStyle::kSpecial)) = 0;
  }
  const bool all_zero = dice.chance(0.02);
  std::vector<uint8_t> bytes(static_cast<size_t>(rows * k * input_bytes(path)));
  Writer writer(path, k, bytes);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t first = 0; first < k; first += format.block) {
      const auto count = static_cast<int>(std::min<int64_t>(format.block, k - first));
      const auto style = all_zero ? ValueStyle::kZero : dice.weighted<ValueStyle>(styles);
      writer.write(row, first, blocks.draw(dice, style, count));
    }
  }
  if (format.scale == ScaleKind::kUe4m3 && !all_zero && dice.chance(0.8)) {
    // The largest value of the tensor makes its factor a power of two, so that block scales and
    // elements lie where they were put.
    const float largest = std::ldexp(2688.0F, exponent);
    writer.write(dice.between(0, rows - 1), dice.between(0, k - 1),
                 {std::isfinite(largest) ? largest : 1.0F});
  }
  return bytes;
}

Preset random_preset(Dice& dice, const BlockFormat& format) {
  if (format.scale == ScaleKind::kUe4m3) {
    return preset(format, "");
  }
  if (format.scale == ScaleKind::kHif4) {
    return preset(format, dice.chance(0.5) ? "amct" : "model_a6_rne");
  }
  if (dice.chance(0.1)) {
    return preset(format, dice.chance(0.5) ? "torchao_floor" : "torchao_ceil");
  }
  const auto scale = static_cast<size_t>(dice.between(0, kExponentRules.size() - 1));
  const auto rounding =
      dice.chance(0.5) ? 0
                       : static_cast<size_t>(dice.between(0, kDeterministicRoundings.size() - 1));
  return mxfp4_preset(kExponentRules.at(scale).rule, kDeterministicRoundings.at(rounding).rounding);
}

}  // namespace nibblecore::tb
