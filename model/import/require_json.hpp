// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/import/byte_source.hpp"

namespace nibblecore {

/// InputError where a file does not begin as a JSON object or array. Chakra's protobuf (.et), which
/// converters make of execution traces, is told apart: the JSON before conversion says more.
void require_json(ByteSource& source);

}  // namespace nibblecore
