// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/common/error.hpp"

namespace nibblecore {

/// The message of the InputError that `action` throws; empty where it throws none.
template <typename Action>
std::string input_error(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace nibblecore
