// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore::tb {

/// The FP16 code of a macro block's factor; InputError unless it is a positive finite FP16 number.
uint16_t factor_code(float factor);

}  // namespace nibblecore::tb
