// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace nibblecore {

/// Which records of an import become one with a `count`. The merged record stands at the place of
/// the first.
enum class Merge {
  kNone,   ///< a record an operator
  kLayer,  ///< those that are equal in everything, layer included
  kShape,  ///< those that are equal but for the layer, of which only the operator's name is kept
};

inline constexpr std::array<std::pair<Merge, std::string_view>, 3> kMerges{{
    {Merge::kNone, "none"},
    {Merge::kLayer, "layer"},
    {Merge::kShape, "shape"},
}};

/// What a user may say about a file beyond what is written in it.
struct ImportOptions {
  /// Phase of every record, for files of one role; a recomputed forward GEMM gets ".recompute"
  /// behind it. Nothing: as the file's annotations say.
  std::optional<std::string> phase;
  /// Regular expression (ECMAScript) found anywhere in the layer name of GEMMs that stay in high
  /// precision: head, router. Nothing: every linear layer is quantized.
  std::optional<std::string> unquantized;
  Merge merge = Merge::kLayer;
};

}  // namespace nibblecore
