// SPDX-License-Identifier: Apache-2.0
#include "model/interface/guarded_call.hpp"

#include <array>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>

#include "model/common/error.hpp"
#include "model/interface/nibblecore/nibblecore.h"

namespace nibblecore {
namespace {

/// Not a std::string: where memory is out, there must still be a message. Longer ones are cut.
using Message = std::array<char, 1024>;

Message& message() noexcept {
  thread_local Message text{};
  return text;
}

int report(int status, const char* reason) noexcept {
  std::snprintf(message().data(), message().size(), "%s", reason);
  return status;
}

}  // namespace

int report_current_exception() noexcept {
  try {
    throw;
  } catch (const InputError& error) {
    return report(NIBBLECORE_BAD_INPUT, error.what());
  } catch (const std::bad_alloc&) {
    return report(NIBBLECORE_OUT_OF_MEMORY, "out of memory");
  } catch (const std::length_error&) {  // a vector beyond the largest there can be
    return report(NIBBLECORE_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return report(NIBBLECORE_INTERNAL, error.what());
  } catch (...) {
    return report(NIBBLECORE_INTERNAL, "unknown exception");
  }
}

void clear_error() noexcept { message()[0] = '\0'; }

const char* error_message() noexcept { return message().data(); }

}  // namespace nibblecore
