// SPDX-License-Identifier: Apache-2.0
#include "model/common/error.hpp"

namespace nibblecore {

InputError::InputError(const std::string& place, const std::string& reason)
    : Error(place + ": " + reason) {}

}  // namespace nibblecore
