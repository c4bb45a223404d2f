// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "model/formats/block_format.hpp"
#include "model/layout/block_place.hpp"
#include "model/layout/code_order.hpp"
#include "model/layout/scale_word.hpp"

namespace nibblecore {

/// Some of the named formats.
struct FormatSet {
  bool mxfp4;
  bool hif4;
  bool nvfp4;

  /// False also for formats that differ from their namesake in block or scale.
  bool contains(const BlockFormat& format) const;
};

/// A way to store a quantized matrix in memory: an order of codes, a place for them, a place for
/// scales and, in HiF4, a word for them. It changes no value.
struct Layout {
  std::string_view name;
  FormatSet formats;
  CodeOrder codes;
  CodePlace code_place;
  ScalePlace scale_place;
  ScaleWord word;  ///< HiF4 alone
  std::string_view meaning;
  std::string_view provenance;
};

/// Every layout; the first is the default of all formats.
const std::array<Layout, 14>& layouts();

/// The names of the layouts of `format`, comma-separated.
std::string layout_names(const BlockFormat& format);

/// The layout of `format` with this name; InputError naming those of the format otherwise.
const Layout& layout(const BlockFormat& format, std::string_view name);

}  // namespace nibblecore
