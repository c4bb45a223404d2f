// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// E2M1 and S1P2 under every scale and block length that the program offers.
std::vector<BlockFormat> every_format();

/// A matrix [rows, k] of random codes; `scale_code` gives the scale codes.
PackedMatrix random_packed(const BlockFormat& format, int64_t rows, int64_t k, std::mt19937& random,
                           const std::function<uint32_t()>& scale_code);

/// One row from hexadecimal text: two codes a byte and the scale bytes.
PackedMatrix packed_row(const BlockFormat& format, const std::string& codes,
                        const std::string& scales);

/// The units of golden-vector file hif4/amct, one a row.
PackedMatrix amct_units();

/// The blocks of golden-vector file mxfp4/torchao_floor, one a row.
PackedMatrix torchao_floor_blocks();

}  // namespace nibblecore
