// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace nibblecore {

/// The status (nibblecore.h) of the exception that is being handled; its message becomes this
/// thread's.
int report_current_exception() noexcept;

/// Empties this thread's message.
void clear_error() noexcept;

/// This thread's message.
const char* error_message() noexcept;

/// Calls `action` and turns what it throws into a status: nothing leaves.
template <typename Action>
int guarded_call(const Action& action) noexcept {
  clear_error();
  try {
    action();
    return 0;
  } catch (...) {
    return report_current_exception();
  }
}

}  // namespace nibblecore
