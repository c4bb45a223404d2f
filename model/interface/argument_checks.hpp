// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "model/formats/accumulation.hpp"
#include "model/formats/block_format.hpp"
#include "model/formats/packed_matrix.hpp"

// What the interface checks before anything is computed; each function throws InputError at
// `place`.
namespace nibblecore {

/// `pointer` is not null.
void require_pointer(const void* pointer, const std::string& place);

/// `threads` is not negative.
void require_threads(int threads);

/// `size` is positive.
void require_positive(int64_t size, const std::string& place);

/// A buffer of bytes has the size that it must have.
void require_size(int64_t size, int64_t expected, const std::string& place);

/// The matrix is of a known format, and its codes and scales are as many as its shape says.
void require_whole(const PackedMatrix& matrix, const std::string& place);

/// K is whole blocks, and under a policy that truncates whole instructions.
void require_whole_k(int64_t k, const BlockFormat& format, Accumulation policy);

}  // namespace nibblecore
