// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/mxfp4_quantizer_stimuli.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "model/common/bits.hpp"
#include "tb/fault/block_stimuli.hpp"

namespace nibblecore::tb {
namespace {

constexpr size_t kBlock = 32;
constexpr int kFractionBits = 23;

/// `value` with the lowest bits of its fraction changed.
uint32_t with(float value, uint32_t fraction) { return float_bits(value) | fraction; }

uint32_t signed_by(size_t i, uint32_t magnitude) {
  return magnitude | (i % 3 == 1 ? 0x80000000U : 0U);
}

class Mxfp4QuantizerStimuli {
 public:
  Mxfp4QuantizerStimuli(uint64_t seed, FaultStimuli& stimuli) : stimuli_(kMxfp4, seed, stimuli) {}

  void add_all() {
    add_scale_fractions();
    add_ties();
    add_decoded_ties();
    add_exponents();
    add_distances();
    add_subnormals();
    add_ranges();
  }

 private:
  using Values = std::function<uint32_t(size_t)>;

  static ValueBlock block_of(const Values& values) {
    ValueBlock block(kBlock);
    for (size_t i = 0; i < kBlock; ++i) {
      block[i] = signed_by(i, values(i));
    }
    return block;
  }

  /// The same elements as a residual: an element that quantizes to itself makes the others too
  /// small to leave anything but themselves. They must be below 1/4.
  static ValueBlock behind_anchor(ValueBlock block, size_t anchor, float value = 4.0F) {
    block[anchor % kBlock] = float_bits(value);
    return block;
  }

  /// Under rule `ceil` any bit of the largest fraction doubles the scale, which costs the elements
  /// that were half a step.
  void add_scale_fractions() {
    const Preset& ceil = preset(kMxfp4, "ceil");
    constexpr float kLarge = 0x1p-3F;
    constexpr float kSmall = 0x1p-6F;
    for (const size_t parity : {size_t{0}, size_t{1}}) {
      const ValueBlock block =
          block_of([&](size_t i) { return float_bits(i % 2 == parity ? kLarge : kSmall); });
      stimuli_.add_plain("largest magnitudes without fraction", ceil, {block});
      stimuli_.add_residual("largest magnitudes without fraction", ceil,
                            {behind_anchor(block, parity + 1), behind_anchor(block, parity + 3)});
    }
    for (int bit = 0; bit < kFractionBits; ++bit) {
      std::vector<ValueBlock> plain;
      std::vector<ValueBlock> residual;
      for (size_t e = 0; e < kBlock; ++e) {
        plain.push_back(block_of(
            [&](size_t i) { return i == e ? with(kLarge, 1U << bit) : float_bits(kSmall); }));
        residual.push_back(behind_anchor(plain.back(), e + 1));
      }
      const std::string name = "largest fraction of bit " + std::to_string(bit);
      stimuli_.add_plain(name, ceil, plain);
      stimuli_.add_residual(name, ceil, residual);
    }
  }

  /// Elements on and just above the ties between codes.
  void add_ties() {
    for (int bit = -1; bit < kFractionBits - 2; ++bit) {
      const uint32_t above = bit < 0 ? 0 : 1U << bit;
      std::vector<ValueBlock> plain;
      std::vector<ValueBlock> residual;
      for (size_t turn = 0; turn < kTies.size(); ++turn) {
        // 6 of 2^-6 sets the scale.
        const size_t largest = 5 * turn;
        plain.push_back(block_of([&](size_t i) {
          return i == largest ? float_bits(6 * 0x1p-6F)
                              : with(kTies[(i + turn) % kTies.size()] * 0x1p-6F, above);
        }));
        residual.push_back(behind_anchor(plain.back(), largest + 1));
      }
      const std::string name = "ties and bit " + std::to_string(bit);
      const Preset& rceil = preset(kMxfp4, "rceil");
      stimuli_.add_plain(name, rceil, plain);
      stimuli_.add_residual(name, rceil, residual);
    }
  }

  /// Elements that leave a residual on a tie when one is taken off.
  void add_decoded_ties() {
    std::vector<ValueBlock> blocks;
    for (size_t turn = 0; turn < kTies.size(); ++turn) {
      for (const float whole : {1.0F, 1.5F, 2.0F, 3.0F}) {
        blocks.push_back(block_of([&](size_t i) {
          const float tie = kTies[(i + turn) % kTies.size()] * 0x1p-6F;
          return float_bits(i == turn                 ? 6.0F
                            : i == turn + 8           ? whole + 6 * 0x1p-6F
                            : (i + turn / 4) % 2 == 0 ? whole + tie
                                                      : whole - tie);
        }));
      }
    }
    stimuli_.add_residual("decoded elements beside ties", preset(kMxfp4, "rceil"), blocks);
  }

  /// One element above the others, whose exponent field has all bits but the first, or it alone.
  void add_exponents() {
    for (const float large : {1.0F, 2.0F}) {
      std::vector<ValueBlock> plain;
      std::vector<ValueBlock> residual;
      for (size_t e = 0; e < kBlock; ++e) {
        plain.push_back(block_of([&](size_t i) { return float_bits(i == e ? large : 0x1p-4F); }));
        residual.push_back(behind_anchor(plain.back(), e + 1, 64.0F));
      }
      stimuli_.add_plain("exponents", preset(kMxfp4, "rceil"), plain);
      stimuli_.add_residual("exponents", preset(kMxfp4, "rceil"), residual);
    }
  }

  /// Elements so far below the largest that one bit of the shift distance separates them from it,
  /// the last bit by subnormals.
  void add_distances() {
    for (const int below : {0, 32, 64, 128, 264}) {
      const int largest = below < 200 ? 2 : 115;
      std::vector<ValueBlock> plain;
      std::vector<ValueBlock> residual;
      for (const size_t anchor : {size_t{0}, size_t{9}}) {
        plain.push_back(block_of([&](size_t i) {
          return float_bits(i == anchor ? std::ldexp(1.5F, largest)
                                        : std::ldexp(1.0F, largest - below));
        }));
        residual.push_back(behind_anchor(plain.back(), anchor + 1, std::ldexp(1.0F, largest + 6)));
      }
      stimuli_.add_plain("shift distances", preset(kMxfp4, "rceil"), plain);
      stimuli_.add_residual("shift distances", preset(kMxfp4, "rceil"), residual);
    }
  }

  /// Elements whose decoded value is subnormal.
  void add_subnormals() {
    std::vector<ValueBlock> blocks;
    for (size_t turn = 0; turn < 8; ++turn) {
      blocks.push_back(block_of([&](size_t i) {
        return float_bits(std::ldexp(0.5F + static_cast<float>((i + turn) % 8) / 2, -127));
      }));
    }
    stimuli_.add_residual("subnormals", preset(kMxfp4, "rceil"), blocks);
  }

  /// Blocks of every order of magnitude, subnormals, and elements far below the largest.
  void add_ranges() {
    for (int exponent = -148; exponent < 127; exponent += 11) {
      std::vector<ValueBlock> blocks;
      blocks.reserve(4);
      for (int turn = 0; turn < 4; ++turn) {
        blocks.push_back(block_of([&](size_t i) {
          const int below = static_cast<int>(i % 8) * (turn == 0 ? 0 : turn * turn * 9 - 8);
          return float_bits(std::ldexp(1.0F + static_cast<float>(i % 7) / 8, exponent - below));
        }));
      }
      const std::string name = "magnitudes of 2^" + std::to_string(exponent);
      for (const char* rule : {"rceil", "floor"}) {
        stimuli_.add_plain(name, preset(kMxfp4, rule), blocks);
        stimuli_.add_residual(name, preset(kMxfp4, rule), blocks);
      }
    }
  }

  static constexpr std::array<float, 7> kTies{0.25F, 2.5F, 0.75F, 1.25F, 5.0F, 1.75F, 3.5F};

  BlockStimuli stimuli_;
};

}  // namespace

void add_mxfp4_quantizer_stimuli(uint64_t seed, FaultStimuli& stimuli) {
  Mxfp4QuantizerStimuli(seed, stimuli).add_all();
}

}  // namespace nibblecore::tb
