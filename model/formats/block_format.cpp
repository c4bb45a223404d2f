// SPDX-License-Identifier: Apache-2.0
#include "model/formats/block_format.hpp"

#include "model/common/error.hpp"
#include "model/formats/named_record.hpp"

namespace nibblecore {
namespace {

struct ScaleRecord {
  std::string_view name;
  ScaleKind scale;
};

constexpr std::array<ScaleRecord, 3> kScales{
    {{"ue8m0", ScaleKind::kE8m0}, {"ue4m3", ScaleKind::kUe4m3}, {"hif4", ScaleKind::kHif4}}};

}  // namespace

const BlockFormat& block_format(std::string_view name) {
  return find_record(kBlockFormats, name, "--format");
}

std::string_view scale_name(ScaleKind scale) {
  for (const ScaleRecord& record : kScales) {
    if (record.scale == scale) {
      return record.name;
    }
  }
  return {};
}

BlockFormat make_block_format(std::string_view format_name, int block, std::string_view scale) {
  BlockFormat format = block_format(format_name);
  format.block = block;
  format.scale = find_record(kScales, scale, "--scale").scale;
  const bool hif4_element = format.element == ElementKind::kS1p2;
  if (hif4_element != (format.scale == ScaleKind::kHif4)) {
    throw InputError("--scale", "'" + std::string(scale) + "' does not go with --format " +
                                    std::string(format_name));
  }
  const bool known_block = block == 64 || (!hif4_element && (block == 16 || block == 32));
  if (!known_block) {
    throw InputError("--block", "blocks of " + std::to_string(block) +
                                    " are not offered for --format " + std::string(format_name) +
                                    (hif4_element ? " (64)" : " (16, 32, 64)"));
  }
  return format;
}

}  // namespace nibblecore
