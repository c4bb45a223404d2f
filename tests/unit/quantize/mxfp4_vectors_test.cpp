// SPDX-License-Identifier: Apache-2.0
// Every MXFP4 preset of a peer against the peer's own output, bit for bit (NaN payloads aside).
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/dequantize.hpp"
#include "model/formats/fp32.hpp"
#include "model/quantize/mxfp4_peer_scale.hpp"
#include "model/quantize/quantize.hpp"
#include "tests/unit/quantize/vectors.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kBlocks = 2713;
constexpr int64_t kBlock = 32;

bool is_exact(const Preset& preset) {
  return std::any_of(kScaleRules.begin(), kScaleRules.end(),
                     [&](const ScaleRuleRecord& rule) { return rule.name == preset.name; });
}

std::vector<std::string> peer_names() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) {
    if (preset.format.name == kMxfp4.name && !is_exact(preset)) {
      names.push_back(preset.name);
    }
  }
  return names;
}

bool same_number(uint32_t a, uint32_t b) { return a == b || (fp32_is_nan(a) && fp32_is_nan(b)); }

std::vector<float> inputs() {
  std::vector<float> values;
  for (const uint32_t bits : vector_tensor<uint32_t>("mxfp4/inputs", "x")) {
    values.push_back(bits_float(bits));
  }
  return values;
}

/// What a preset makes of the inputs, one block a row.
struct Computed {
  explicit Computed(const Preset& preset) : decoded(size_t{kBlocks * kBlock}) {
    const std::vector<float> x = inputs();
    packed = quantize(row_major_view(x.data(), kBlocks, kBlock), preset, 1, decoded.data());
  }
  explicit Computed(const std::string& name) : Computed(preset(kMxfp4, name)) {}

  PackedMatrix packed;
  std::vector<float> decoded;
};

/// A peer's output.
struct Golden {
  explicit Golden(const std::string& name)
      : scale(vector_tensor<uint8_t>("mxfp4/" + name, "scale")),
        codes(vector_tensor<uint8_t>("mxfp4/" + name, "codes")),
        dequantized(vector_tensor<uint32_t>("mxfp4/" + name, "dequantized")) {}

  /// Blocks in which any scale, code or decoded bit differs.
  int mismatching(const Computed& computed) const {
    int count = 0;
    for (int64_t row = 0; row < kBlocks; ++row) {
      bool same = computed.packed.row_scales(row)[0] == scale[static_cast<size_t>(row)];
      for (int64_t i = 0; i < kBlock; ++i) {
        const auto at = static_cast<size_t>(row * kBlock + i);
        // 0xFF: the peer's value is no E2M1 value; what is packed then is 0.
        const uint8_t code = codes[at] == 0xFF ? uint8_t{0} : codes[at];
        same = same && packed_code(computed.packed.row_codes(row), i) == code &&
               same_number(float_bits(computed.decoded[at]), dequantized[at]);
      }
      count += same ? 0 : 1;
    }
    return count;
  }

  std::vector<uint8_t> scale;
  std::vector<uint8_t> codes;
  std::vector<uint32_t> dequantized;
};

class Mxfp4Peer : public testing::TestWithParam<std::string> {};

TEST_P(Mxfp4Peer, EqualsItsFile) {
  const Golden golden(GetParam());
  ASSERT_EQ(golden.scale.size(), size_t{kBlocks});
  const int mismatching = golden.mismatching(Computed(GetParam()));
  std::cout << GetParam() << ": compared " << kBlocks << " blocks, " << mismatching
            << " mismatching\n";
  EXPECT_EQ(mismatching, 0);
}

TEST_P(Mxfp4Peer, NeedsEveryOneOfItsQuirks) {
  const Golden golden(GetParam());
  const auto rule = std::get<Mxfp4Rule>(preset(kMxfp4, GetParam()).rule);
  for (const Mxfp4QuirkRecord& record : kMxfp4Quirks) {
    if (rule.quirks.has(record.quirk)) {
      Preset other = preset(kMxfp4, GetParam());
      std::get<Mxfp4Rule>(other.rule).quirks = rule.quirks.without(record.quirk);
      EXPECT_GT(golden.mismatching(Computed(other)), 0) << record.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Presets, Mxfp4Peer, testing::ValuesIn(peer_names()),
                         [](const auto& preset_name) { return preset_name.param; });

TEST(Mxfp4PeerFiles, EveryPresetButTheExactRulesHasAFileAndEveryFileAPreset) {
  std::set<std::string> files;
  const std::filesystem::path folder =
      std::filesystem::path(NIBBLECORE_TEST_DATA) / "vectors" / "mxfp4";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".safetensors") {
      files.insert(entry.path().stem());
    }
  }
  EXPECT_EQ(files.erase("inputs"), 1U);
  EXPECT_EQ(files.erase("element_casts"), 1U);
  const std::vector<std::string> names = peer_names();
  EXPECT_EQ(files, std::set<std::string>(names.begin(), names.end()));
}

// The factor that FP-Quant exports, 1/3, times the stored scale, and the FP32 scale it works with.
TEST(Mxfp4PeerFiles, FpQuantScalesInFp32) {
  const auto codes = vector_tensor<uint8_t>("mxfp4/fpquant_mxfp4", "scale");
  const auto scales = vector_tensor<uint32_t>("mxfp4/fpquant_mxfp4", "scale_f32");
  int compared = 0;
  for (size_t row = 0; row < codes.size(); ++row) {
    if (codes[row] != 255) {
      EXPECT_EQ(float_bits(mxfp4_fp32_scale(codes[row])), scales[row]) << "row " << row;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 2633);
}

// A GGUF block: the scale byte, then element j in the low nibble and j + 16 in the high one.
TEST(Mxfp4PeerFiles, GgmlBlocks) {
  const auto blocks = vector_tensor<uint8_t>("mxfp4/ggml_mxfp4", "block_bytes");
  const Computed computed("ggml_mxfp4");
  for (int64_t row = 0; row < kBlocks; ++row) {
    const uint8_t* const codes = computed.packed.row_codes(row);
    const auto* const block = blocks.data() + row * 17;
    ASSERT_EQ(block[0], computed.packed.row_scales(row)[0]) << "row " << row;
    for (int64_t i = 0; i < 16; ++i) {
      ASSERT_EQ(block[1 + i], packed_code(codes, i) | packed_code(codes, i + 16) << 4)
          << "row " << row;
    }
  }
}

// What a GEMM multiplies is what the codes stand for. Some peers decode otherwise.
TEST(Mxfp4PeerFiles, PeersThatDecodeOtherwiseThanTheCodesSay) {
  std::set<std::string> others;
  for (const std::string& name : peer_names()) {
    const Computed computed(name);
    std::vector<float> plain(computed.decoded.size());
    dequantize(computed.packed, plain.data());
    for (size_t i = 0; i < plain.size(); ++i) {
      if (!same_number(float_bits(plain[i]), float_bits(computed.decoded[i]))) {
        others.insert(name);
      }
    }
  }
  EXPECT_EQ(others, (std::set<std::string>{
                        "fpquant_mxfp4", "gfloat_amax_float32", "gfloat_amax_float64", "ggml_mxfp4",
                        "triton_kernels_round_down", "triton_kernels_round_up"}));
}

}  // namespace
}  // namespace nibblecore
