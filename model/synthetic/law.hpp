// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/common/random_stream.hpp"

namespace nibblecore {

enum class LawKind { kGaussian, kStudentT, kLaplace, kUniform };

/// The law of synthetic values, in its standard form: Gaussian with variance 1, Student-t with its
/// usual variance nu / (nu - 2), Laplace with density exp(-|x|) / 2, uniform over (-1, 1).
struct Law {
  std::string_view name;
  LawKind kind;
  double degrees_of_freedom;  ///< of Student-t; 0 elsewhere
};

inline constexpr std::array<Law, 11> kLaws{{{"gaussian", LawKind::kGaussian, 0},
                                            {"t40", LawKind::kStudentT, 40},
                                            {"t30", LawKind::kStudentT, 30},
                                            {"t20", LawKind::kStudentT, 20},
                                            {"t12", LawKind::kStudentT, 12},
                                            {"t8", LawKind::kStudentT, 8},
                                            {"t6", LawKind::kStudentT, 6},
                                            {"t4", LawKind::kStudentT, 4},
                                            {"t2", LawKind::kStudentT, 2},
                                            {"laplace", LawKind::kLaplace, 0},
                                            {"uniform", LawKind::kUniform, 0}}};

/// The law of this name; InputError naming the known ones otherwise.
const Law& find_law(std::string_view name);

/// The value of an element, from its four random words alone, so independent of threads and order;
/// the same bits with every compiler and C library.
double draw(const Law& law, const RandomStream& random, uint64_t element);

}  // namespace nibblecore
