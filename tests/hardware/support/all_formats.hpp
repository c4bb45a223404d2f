// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/formats/block_format.hpp"

namespace nibblecore::test {

/// Every block format that the core takes, the unnamed ones of block-scaled MMA included.
inline std::vector<BlockFormat> all_formats() {
  std::vector<BlockFormat> formats{kMxfp4, kHif4, kNvfp4};
  for (const int block : {16, 32, 64}) {
    for (const ScaleKind scale : {ScaleKind::kE8m0, ScaleKind::kUe4m3}) {
      formats.push_back({"", ElementKind::kE2m1, scale, block});
    }
  }
  return formats;
}

}  // namespace nibblecore::test
