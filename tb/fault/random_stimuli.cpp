// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>

#include "model/formats/bf16.hpp"
#include "tb/fault/fault_stimuli.hpp"

namespace nibblecore::tb {
namespace {

constexpr int64_t kRows = 2;
constexpr int64_t kColumns = 4;  // two tiles: both halves of L0C
constexpr int64_t kK = 128;      // two steps, or one of the serial residual

uint8_t equal_scale(const BlockFormat& format) {
  // 1.25 in HiF4: its odd significand leaves odd terms odd.
  return format.scale == ScaleKind::kHif4 ? uint8_t{(48 << 2) + 1} : uint8_t{127};
}

constexpr uint8_t kNanScale = 0xFF;
constexpr uint32_t kLargestFinite = 0x7F7FFFFF;
constexpr int kRounds = 8;
constexpr int64_t kEight = 8;

/// Binades that the blocks of an online operand spread over.
constexpr uint32_t kNarrow = 1;
constexpr uint32_t kWide = 48;

/// Sums under equal scales are exact integers: every bit of the array is in the result. Under near
/// ones they fill all bits of an accumulator.
enum class Scales { kEqual, kNear, kAnyFinite };

class RandomStimuli {
 public:
  RandomStimuli(const BlockFormat& format, uint64_t seed, FaultStimuli& stimuli)
      : format_(format), random_(seed), stimuli_(stimuli) {}

  void add_all() {
    add_dense("dense", Scales::kEqual);
    add_residuals("online", kNarrow);
    add_dense("dense again", Scales::kEqual);
    for (int i = 0; i < kRounds; ++i) {
      add_dense("any scale", Scales::kAnyFinite);
    }
    for (int i = 0; i < 4 * kRounds; ++i) {
      add_residuals("online again", i % 2 == 0 ? kNarrow : kWide);
    }
    for (int i = 0; i < 24 * kRounds; ++i) {
      add_macro_blocks(i % 2 == 0 ? 64 : 128);
    }
    add_nan_blocks();
    if (format_.scale == ScaleKind::kE8m0) {
      add_nan_residuals();
    }
  }

 private:
  GemmSpec spec() const { return {kRows, kColumns, kK, format_}; }

  const Preset& default_preset() const { return preset(format_, ""); }

  FaultOperand packed(int64_t rows, Scales scales) {
    FaultOperand operand;
    operand.packed = make_packed_matrix(format_, rows, kK);
    for (uint8_t& codes : operand.packed.codes) {
      codes = static_cast<uint8_t>(random_());
    }
    const auto near = static_cast<int>(equal_scale(format_) + random_() % 60);
    const int spread = format_.scale == ScaleKind::kHif4 ? 80 : 40;  // a code is a quarter there
    for (size_t i = 0; i < operand.packed.scales.size(); ++i) {
      const bool is_scale = i % static_cast<size_t>(format_.scale_bytes()) == 0;
      auto byte = static_cast<uint8_t>(random_());
      if (is_scale) {
        byte = scales == Scales::kEqual  ? equal_scale(format_)
               : scales == Scales::kNear ? static_cast<uint8_t>(near - byte % spread)
                                         : static_cast<uint8_t>(byte % 255);
      }
      operand.packed.scales[i] = byte;
    }
    return operand;
  }

  /// Magnitudes of a block within a few binades, so that all element codes come up; some eights
  /// smaller than others; a few zeros.
  FaultOperand online(int64_t rows, OperandPath path, uint32_t binades) {
    constexpr uint32_t kMiddle = 124;
    FaultOperand operand;
    operand.path = path;
    uint32_t first = kMiddle;
    uint32_t first_of_eight = kMiddle;
    for (int64_t i = 0; i < rows * kK; ++i) {
      if (i % format_.block == 0) {
        first = kMiddle - binades / 2 + static_cast<uint32_t>(random_() % binades);
      }
      if (i % kEight == 0) {
        first_of_eight = first - static_cast<uint32_t>(random_() % 4);
      }
      const auto field = static_cast<uint32_t>(first_of_eight + random_() % 5);
      const auto fraction = static_cast<uint32_t>(random_() & 0x7FFFFF);
      const auto sign = static_cast<uint32_t>(random_() & 1);
      const bool zero = random_() % 16 == 0;
      operand.values.push_back((sign << 31) | (zero ? 0 : (field << 23) | fraction));
    }
    return operand;
  }

  std::vector<uint32_t> any_start() {
    std::vector<uint32_t> start(static_cast<size_t>(kRows * kColumns));
    for (uint32_t& bits : start) {
      bits = static_cast<uint32_t>(random_());
    }
    return start;
  }

  void add_dense(const char* name, Scales scales) {
    const bool equal = scales == Scales::kEqual;
    for (const OutputWidth width : {OutputWidth::kFp32, OutputWidth::kBf16}) {
      GemmSpec dense = spec();
      dense.output = width;
      FaultOperand a = packed(kRows, scales);
      FaultOperand b = packed(kColumns, scales);
      stimuli_.push_back(
          std::make_unique<FaultStimulus>(name, dense, default_preset(), std::move(a), std::move(b),
                                          equal ? std::vector<uint32_t>{} : any_start()));
    }
  }

  void add_residuals(const std::string& name, uint32_t binades) {
    constexpr OperandPath kFp32 = OperandPath::kOnlineFp32;
    for (const ResidualBuild build : {ResidualBuild::kSerial, ResidualBuild::kParallel}) {
      add_online(name + ", 2:4", ResidualPattern::kTwoOfFour, build, kFp32, binades);
    }
    add_online(name + ", residual", ResidualPattern::kDense, ResidualBuild::kSerial, kFp32,
               binades);
    add_online(name + ", channels", ResidualPattern::kChannel50, ResidualBuild::kSerial,
               OperandPath::kOnlineBf16, binades);
    add_online(name + ", accumulators of its own", ResidualPattern::kTwoOfFour,
               ResidualBuild::kParallel, kFp32, binades, ResidualAccumulator::kOwn);
  }

  void add_online(const std::string& name, ResidualPattern pattern, ResidualBuild build,
                  OperandPath path, uint32_t binades,
                  ResidualAccumulator accumulator = ResidualAccumulator::kShared) {
    constexpr float kAlpha = -1.7F;  // no power of two
    GemmSpec online_spec = spec();
    online_spec.residual_accumulator = accumulator;
    online_spec.residual = pattern;
    online_spec.residual_build = build;
    FaultOperand a = online(kRows, path, binades);
    FaultOperand b = online(kColumns, path, binades);
    stimuli_.push_back(std::make_unique<FaultStimulus>(name, online_spec, default_preset(),
                                                       std::move(a), std::move(b),
                                                       std::vector<uint32_t>{}, kAlpha));
    // Against packed codes of any kind, so that B's have no order.
    const Scales scales = binades == kNarrow ? Scales::kEqual : Scales::kAnyFinite;
    FaultOperand again = online(kRows, path, binades);
    stimuli_.push_back(std::make_unique<FaultStimulus>(
        name + ", B packed", online_spec, default_preset(), std::move(again),
        packed(kColumns, scales), std::vector<uint32_t>{}, kAlpha));
  }

  std::vector<float> factors(int64_t rows, int64_t length) {
    std::vector<float> result;
    for (int64_t i = 0; i < rows * (kK / length); ++i) {
      const auto significand = static_cast<float>(1024 + random_() % 1024);
      result.push_back(std::ldexp(significand, static_cast<int>(random_() % 30) - 24));
    }
    return result;
  }

  /// Factors of both operands, and of B against a residual; its steps reach into two macro blocks
  /// of 64.
  void add_macro_blocks(int64_t length) {
    constexpr float kLargeAlpha = 300.7F;  // the residual's last bits above those of the others
    GemmSpec dense = spec();
    dense.macro_length = length;
    FaultOperand a = packed(kRows, Scales::kEqual);
    FaultOperand b = packed(kColumns, Scales::kEqual);
    a.factors = factors(kRows, length);
    b.factors = factors(kColumns, length);
    stimuli_.push_back(std::make_unique<FaultStimulus>("macro blocks", dense, default_preset(),
                                                       std::move(a), std::move(b)));
    GemmSpec sparse = dense;
    sparse.residual = ResidualPattern::kTwoOfFour;
    sparse.residual_accumulator = ResidualAccumulator::kOwn;
    FaultOperand of_columns = packed(kColumns, Scales::kNear);
    of_columns.factors = factors(kColumns, length);
    stimuli_.push_back(std::make_unique<FaultStimulus>(
        "macro blocks, residual", sparse, default_preset(),
        online(kRows, OperandPath::kOnlineFp32, kNarrow), std::move(of_columns),
        std::vector<uint32_t>{}, kLargeAlpha));
  }

  /// One NaN block a row, or a column: alone in its result, so that losing it shows.
  void add_nan_blocks() {
    const int64_t blocks = kK / format_.block;
    for (int64_t block = 0; block < blocks; ++block) {
      for (const bool in_a : {true, false}) {
        FaultOperand a = packed(kRows, Scales::kEqual);
        FaultOperand b = packed(kColumns, Scales::kEqual);
        PackedMatrix& matrix = in_a ? a.packed : b.packed;
        for (int64_t row = 0; row < matrix.rows; ++row) {
          matrix.row_scales(row)[block * format_.scale_bytes()] = kNanScale;
        }
        stimuli_.push_back(std::make_unique<FaultStimulus>("NaN block", spec(), default_preset(),
                                                           std::move(a), std::move(b)));
      }
    }
  }

  /// Values that decode to infinity leave a NaN residual behind a block that is none.
  void add_nan_residuals() {
    for (int64_t block = 0; block < kK / format_.block; ++block) {
      for (const ResidualBuild build : {ResidualBuild::kSerial, ResidualBuild::kParallel}) {
        GemmSpec nan_spec = spec();
        nan_spec.residual = ResidualPattern::kTwoOfFour;
        nan_spec.residual_build = build;
        FaultOperand a = online(kRows, OperandPath::kOnlineFp32, kNarrow);
        for (int64_t row = 0; row < kRows; ++row) {
          a.values[static_cast<size_t>(row * kK + block * format_.block)] = kLargestFinite;
        }
        stimuli_.push_back(std::make_unique<FaultStimulus>("NaN residual", nan_spec,
                                                           default_preset(), std::move(a),
                                                           packed(kColumns, Scales::kEqual)));
      }
    }
  }

  BlockFormat format_;
  std::mt19937_64 random_;
  FaultStimuli& stimuli_;
};

}  // namespace

void add_random_stimuli(const BlockFormat& format, uint64_t seed, FaultStimuli& stimuli) {
  RandomStimuli(format, seed, stimuli).add_all();
}

}  // namespace nibblecore::tb
