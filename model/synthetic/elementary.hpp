// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace nibblecore {

// Elementary functions out of IEEE 754 additions, multiplications, divisions and exact scalings by
// powers of two alone, within 1e-15 (relative, of the cosine absolute). C libraries differ in the
// last bits of theirs; these give the same synthetic tensors everywhere.

/// Natural logarithm of a positive finite normal number.
double portable_log(double x);

/// e^x for |x| <= 700.
double portable_exp(double x);

/// cos(2 pi x) for x in [0, 1].
double portable_cos_turns(double x);

}  // namespace nibblecore
