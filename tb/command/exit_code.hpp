// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace nibblecore::tb {

/// What the program ends with.
enum ExitCode : int {
  kExitEqual = 0,     ///< done, and all compared bits equal
  kExitMismatch = 1,  ///< a compared bit differs
  kExitBadInput = 2,  ///< bad usage or bad input
  kExitInternal = 3,  ///< a promise of the program itself is broken
};

}  // namespace nibblecore::tb
