// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace nibblecore {

/// A data file as it was when the library was built, which so needs no folder at run time
/// (embed_texts.cmake).
struct EmbeddedText {
  std::string_view name;  ///< the file's, without its ending
  std::string_view text;
};

}  // namespace nibblecore
