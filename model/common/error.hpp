// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace nibblecore {

/// Root of every error that Nibblecore raises itself.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Something the user gave is wrong: a file, a manifest line, an option, a shape. `place` names
/// where (file with offset or line, tensor, field); the program ends with exit code 2.
class InputError : public Error {
 public:
  InputError(const std::string& place, const std::string& reason);
};

/// A promise inside the program does not hold: a declared width is too small, cycles do not add
/// up. Never the user's fault.
class InternalError : public Error {
 public:
  using Error::Error;
};

}  // namespace nibblecore
