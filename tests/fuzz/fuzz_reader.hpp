// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/common/error.hpp"

namespace nibblecore {

/// What a reader made of its input; whatever else it does is a bug.
enum class Verdict { kAccepted, kRefused };

/// A reader as the fuzzer and the tests of seeds drive it.
struct FuzzReader {
  std::string_view name;
  /// Reads the bytes, and checks what was read: that it can be used, and that it is the same after
  /// having been written, where it has a writer. Throws where a check fails; refuses for an
  /// InputError of the reader alone.
  Verdict (*read)(std::string_view bytes);
  /// Folders of inputs to start from, from the repository's root, beside tests/data/fuzz/`name`:
  /// valid files that the project has anyway.
  std::vector<std::string_view> more_seeds;
};

/// Every reader. A new one is a file `name`_fuzz.cpp, seeds in tests/data/fuzz/`name`, and a row
/// here.
const std::vector<FuzzReader>& fuzz_readers();

/// Whether `read` returns; false where it throws an InputError, any other exception passes.
template <typename Read>
bool accepts(const Read& read) {
  try {
    read();
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// InternalError, which the fuzzer reports, where a check of what was read fails.
inline void require(bool holds, const std::string& what) {
  if (!holds) {
    throw InternalError("does not hold: " + what);
  }
}

}  // namespace nibblecore
