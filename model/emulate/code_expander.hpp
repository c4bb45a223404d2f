// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/emulate/emulator_target.hpp"
#include "model/emulate/tile_shape.hpp"
#include "model/formats/block_format.hpp"

namespace nibblecore {

/// Makes bytes of a block's packed codes, as TileBlocks has them.
class CodeExpander {
 public:
  CodeExpander(const BlockFormat& format, ElementForm form, EmulatorTarget target);

  /// Writes the block's elements; `scale` are its scale bytes.
  void expand(const uint8_t* codes, const uint8_t* scale, uint8_t* elements) const;

  /// What is added to every element: 0 for ElementForm::kSigned.
  uint8_t bias() const { return bias_; }

 private:
  int length_;
  bool is_hif4_;
  bool has_shuffle_;
  uint8_t bias_;
};

/// The largest magnitude of an element: the bias of ElementForm::kBiased.
int largest_element(ElementKind kind);

}  // namespace nibblecore
