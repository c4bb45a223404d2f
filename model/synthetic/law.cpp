// SPDX-License-Identifier: Apache-2.0
#include "model/synthetic/law.hpp"

#include <cmath>

#include "model/common/error.hpp"
#include "model/formats/named_record.hpp"
#include "model/synthetic/elementary.hpp"

namespace nibblecore {
namespace {

/// Square of a radius whose projection on a random direction has the law: Box and Muller for the
/// Gaussian; Bailey, "Polar generation of random variates with the t-distribution" (1994), which
/// tends to it as the degrees of freedom grow.
double squared_radius(const Law& law, double unit) {
  const double exponential = -2 * portable_log(unit);
  if (law.kind == LawKind::kGaussian) {
    return exponential;
  }
  return law.degrees_of_freedom * (portable_exp(exponential / law.degrees_of_freedom) - 1);
}

double laplace(double unit) {
  return unit < 0.5 ? portable_log(2 * unit) : -portable_log(2 * (1 - unit));
}

}  // namespace

const Law& find_law(std::string_view name) { return find_record(kLaws, name, "law"); }

double draw(const Law& law, const RandomStream& random, uint64_t element) {
  const PhiloxCounter words = random_words(random, element);
  const double unit = unit_of_words(words[0], words[1]);
  switch (law.kind) {
    case LawKind::kGaussian:
    case LawKind::kStudentT:
      return std::sqrt(squared_radius(law, unit)) *
             portable_cos_turns(unit_of_words(words[2], words[3]));
    case LawKind::kLaplace:
      return laplace(unit);
    case LawKind::kUniform:
      return 2 * unit - 1;
  }
  throw InternalError("unknown law");
}

}  // namespace nibblecore
