// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "model/formats/accumulation.hpp"
#include "model/formats/gemm_corrections.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore::test {

/// Gives the scale code of a row's next block.
using ScaleLaw = std::function<uint32_t(int64_t row)>;

struct NamedLaw {
  std::string name;
  ScaleLaw code;
};

/// Laws of scale codes, from all alike to the whole range with NaN; `random` must stay.
std::vector<NamedLaw> scale_laws(ScaleKind kind, std::mt19937& random);

/// A matrix whose blocks are random, zero, half zero, sparse, or cancel out within each 16.
PackedMatrix mixed_matrix(const BlockFormat& format, int64_t rows, int64_t k, std::mt19937& random,
                          const ScaleLaw& law);

/// FP32 bits [rows, columns], of one law in each row, since one output may take the others of its
/// row along on the long way: specials and any bits, zeros, or magnitudes of a few binades.
std::vector<uint32_t> mixed_starts(int64_t rows, int64_t columns, std::mt19937& random);

/// The formats that a policy has an arithmetic for.
std::vector<BlockFormat> formats_of(Accumulation policy);

std::string describe(const BlockFormat& format);

/// Expects the golden reference's bits from the emulator on every available target: on one thread,
/// and on three together with what truncation took. `c` may be empty.
void expect_reference(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy,
                      const std::vector<uint32_t>& c, const GemmCorrections& corrections = {});

/// Macro scales of a matrix with random factors.
MacroScales random_macro_scales(const PackedMatrix& matrix, int64_t length, std::mt19937& random);

}  // namespace nibblecore::test
